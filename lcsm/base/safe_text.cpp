#include "lcsm/base/safe_text.h"

#include <cstdint>
#include <cstdio>

namespace lcsm {
namespace {

struct Character {
  std::uint32_t code = 0;  // the first byte alone if not `valid`
  std::size_t size = 1;
  bool valid = false;
};

// The first character of a non-empty text in UTF-8.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return {lead, 1, false};
  std::uint32_t code = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {lead, 1, false};
    code = (code << 6) | (byte(i) & 0x3FU);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (overlong || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return {lead, 1, false};
  return {code, size, true};
}

bool turns_direction(std::uint32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0x200E || code == 0x200F;
}

std::string spelled(const Character& character) {
  char text[16];
  const bool byte = !character.valid || character.code < 0x100;
  std::snprintf(text, sizeof text, byte ? "\\x%02x" : "\\u%04x", character.code);
  return text;
}

// `newline`: what a newline becomes.
std::string made_safe(std::string_view text, const char* newline) {
  std::string out;
  while (!text.empty()) {
    const Character next = first_of(text);
    const bool control = next.code < 0x20 || (next.code >= 0x7F && next.code < 0xA0);
    if (next.code == '\n')
      out += newline;
    else if (!next.valid || control || turns_direction(next.code))
      out += spelled(next);
    else
      out += text.substr(0, next.size);
    text.remove_prefix(next.size);
  }
  return out;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character next = first_of(text);
    if (!next.valid) return false;
    text.remove_prefix(next.size);
  }
  return true;
}

std::string safe_text(std::string_view text) { return made_safe(text, "\\n"); }
std::string safe_lines(std::string_view text) { return made_safe(text, "\n"); }

}  // namespace lcsm
