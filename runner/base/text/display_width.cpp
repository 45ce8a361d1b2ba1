#include "runner/base/text/display_width.h"

#include <utf8proc.h>

namespace runner {
namespace {

// A unit that is never split: a character, an invalid byte, or a whole color sequence.
struct Piece {
  std::size_t bytes;
  int width;
};

// Length of a leading color sequence, ESC [ PARAMETERS LETTER; 0 if there is none.
std::size_t colour_sequence(std::string_view text) {
  if (text.size() < 3 || text[0] != '\033' || text[1] != '[') return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end == std::string_view::npos ? 0 : end + 1;
}

Piece first_piece(std::string_view text) {
  if (const std::size_t bytes = colour_sequence(text)) return {bytes, 0};
  utf8proc_int32_t point = 0;
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto read = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &point);
  if (read <= 0) return {1, 1};
  return {static_cast<std::size_t>(read), utf8proc_charwidth(point)};
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Piece piece = first_piece(text);
    width += piece.width;
    text.remove_prefix(piece.bytes);
  }
  return width;
}

std::size_t bytes_within(std::string_view text, int width) {
  std::size_t bytes = 0;
  for (int used = 0; bytes < text.size();) {
    const Piece piece = first_piece(text.substr(bytes));
    used += piece.width;
    if (used > width) break;
    bytes += piece.bytes;
  }
  return bytes;
}

std::string padded(std::string_view text, int width) {
  const int blanks = width - display_width(text);
  return std::string(text) + std::string(blanks > 0 ? static_cast<std::size_t>(blanks) : 0, ' ');
}

std::string cut_to_width(std::string_view text, int width, std::string_view ellipsis) {
  if (display_width(text) <= width) return std::string(text);
  const int room = width - display_width(ellipsis);
  if (room < 0) return cut_to_width(text, width, "");
  std::string kept(text.substr(0, bytes_within(text, room)));
  const bool coloured = kept.find('\033') != std::string::npos;
  kept += ellipsis;
  return coloured ? kept + "\033[0m" : kept;
}

}  // namespace runner
