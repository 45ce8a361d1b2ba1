#include "runner/data/tokens/gpt2_split.h"

#include <array>

#include "runner/data/tokens/unicode_classes.h"

namespace runner {
namespace {

struct Classed {
  UnicodeClass is;
  std::size_t bytes;
};

// Texts are mostly ASCII, which needs no decoding.
Classed class_at(std::string_view text, std::size_t at) {
  static const std::array<UnicodeClass, 128> kAscii = [] {
    std::array<UnicodeClass, 128> classes;
    for (std::uint32_t c = 0; c < 128; ++c) classes[c] = unicode_class(c);
    return classes;
  }();
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) return {kAscii[byte], 1};
  const Character character = character_at(text, at);
  return {unicode_class(character.code), character.bytes};
}

// The end of a run of characters in one class.
std::size_t run_end(std::string_view text, std::size_t at, UnicodeClass of) {
  while (at < text.size()) {
    const Classed next = class_at(text, at);
    if (next.is != of) break;
    at += next.bytes;
  }
  return at;
}

// The number of letters of 's 't 're 've 'm 'll 'd after the apostrophe, or 0.
std::size_t ending(std::string_view rest) {
  if (rest.empty()) return 0;
  if (std::string_view("stmd").find(rest[0]) != std::string_view::npos) return 1;
  return rest.starts_with("re") || rest.starts_with("ve") || rest.starts_with("ll") ? 2 : 0;
}

// \s+(?!\S)|\s+ : a whole run at the end of the text; before a word, all but its last character,
// which joins the word or is a word by itself.
std::size_t space_end(std::string_view text, std::size_t at) {
  std::size_t last = at, end = at;
  while (end < text.size()) {
    const Classed next = class_at(text, end);
    if (next.is != UnicodeClass::kSpace) return last > at ? last : end;
    last = end;
    end += next.bytes;
  }
  return end;
}

}  // namespace

std::size_t gpt2_word(std::string_view text, std::size_t at) {
  if (text[at] == '\'')
    if (const std::size_t letters = ending(text.substr(at + 1)); letters > 0) return letters + 1;
  std::size_t start = at;
  if (text[at] == ' ' && at + 1 < text.size()) ++start;
  const Classed first = class_at(text, start);
  if (first.is == UnicodeClass::kSpace) return space_end(text, at) - at;
  return run_end(text, start + first.bytes, first.is) - at;
}

}  // namespace runner
