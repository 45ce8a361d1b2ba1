#include "runner/base/text/display_width.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace runner {
namespace {

struct Range {
  std::uint32_t first, last;
};

// Unicode 15: combining marks, and characters that are not drawn.
constexpr std::array kNoWidth = {
    Range{0x0000, 0x001F}, Range{0x007F, 0x009F}, Range{0x0300, 0x036F}, Range{0x0483, 0x0489},
    Range{0x0591, 0x05BD}, Range{0x064B, 0x065F}, Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF},
    Range{0x200B, 0x200F}, Range{0x202A, 0x202E}, Range{0x2060, 0x2064}, Range{0x20D0, 0x20FF},
    Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}, Range{0xFEFF, 0xFEFF}, Range{0xE0100, 0xE01EF},
};

// East Asian Wide and Fullwidth, and the emoji blocks.
constexpr std::array kTwoColumns = {
    Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},   Range{0x3041, 0x33FF},
    Range{0x3400, 0x4DBF},   Range{0x4E00, 0x9FFF},   Range{0xA000, 0xA4CF},
    Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},
    Range{0xFF01, 0xFF60},   Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F},
    Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD},
};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, std::uint32_t point) {
  return std::any_of(ranges.begin(), ranges.end(), [point](const Range& range) {
    return range.first <= point && point <= range.last;
  });
}

// A unit that is never split: a character, an invalid byte, or a whole colour sequence.
struct Piece {
  std::size_t bytes;
  int width;
};

// Length of a leading colour sequence, ESC [ PARAMETERS LETTER; 0 if there is none.
std::size_t colour_sequence(std::string_view text) {
  if (text.size() < 3 || text[0] != '\033' || text[1] != '[') return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end == std::string_view::npos ? 0 : end + 1;
}

Piece first_piece(std::string_view text) {
  if (const std::size_t bytes = colour_sequence(text)) return {bytes, 0};
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {1, lead < 0x20 || lead == 0x7F ? 0 : 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {1, 1};
  std::uint32_t point = lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0u) != 0x80u) return {1, 1};
    point = (point << 6) | (next & 0x3Fu);
  }
  return {bytes, within(kNoWidth, point) ? 0 : within(kTwoColumns, point) ? 2 : 1};
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
