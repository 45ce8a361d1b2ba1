#include "runner/base/text/text_canvas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "runner/base/text/display_width.h"

namespace runner {
namespace {

constexpr int kDotsAcross = 2, kDotsDown = 4;  // of a braille character
constexpr unsigned kBraille[kDotsDown][kDotsAcross] = {
    {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

// Maps 0..1 to one of n positions; clamped, since rounding may leave that range.
int place(double part, int n) {
  return std::clamp(static_cast<int>(std::lround(part * (n - 1))), 0, n - 1);
}

// U+2800 + dots, as UTF-8.
std::string braille(unsigned dots) {
  return {'\xe2', static_cast<char>(0xa0 | dots >> 6), static_cast<char>(0x80 | (dots & 0x3f))};
}

}  // namespace

CanvasMark JoinedMarks::mark_of(const std::vector<CanvasMark>& marks, const Terminal& terminal) {
  std::size_t set =
      static_cast<std::size_t>(std::find(sets_.begin(), sets_.end(), marks) - sets_.begin());
  set = std::min(set, kMost - 1);
  if (set == sets_.size()) sets_.push_back(set + 1 < kMost ? marks : std::vector<CanvasMark>());
  return {sign(set, terminal), kNoSeries};
}

// U+2460 + set, as UTF-8.
std::string JoinedMarks::sign(std::size_t set, const Terminal& terminal) {
  if (!terminal.unicode) return std::to_string(set + 1);
  return {'\xe2', '\x91', static_cast<char>(0xa0 + set)};
}

TextCanvas::TextCanvas(int width, int height, const Terminal& terminal, JoinedMarks* joined)
    : width_(std::max(1, width)),
      height_(std::max(1, height)),
      terminal_(terminal),
      joined_(joined),
      cells_(static_cast<std::size_t>(width_ * height_)) {}

int TextCanvas::column(double x) const { return place(x, width_ * kDotsAcross) / kDotsAcross; }
int TextCanvas::row(double y) const { return place(1 - y, height_ * kDotsDown) / kDotsDown; }

void TextCanvas::line(double x0, double y0, double x1, double y1, std::size_t series) {
  const int across = width_ * kDotsAcross, down = height_ * kDotsDown;
  const int steps =
      static_cast<int>(std::ceil(std::max(std::abs(x1 - x0) * across, std::abs(y1 - y0) * down)));
  for (int i = 0; i <= steps; ++i) {
    const double part = steps > 0 ? static_cast<double>(i) / steps : 0;
    const int x = place(x0 + (x1 - x0) * part, across), y = place(1 - y0 - (y1 - y0) * part, down);
    Cell& at = cell(x / kDotsAcross, y / kDotsDown);
    at.dots |= kBraille[y % kDotsDown][x % kDotsAcross];
    at.series = series;
  }
}

void TextCanvas::put(double x, double y, const std::string& sign, std::size_t series) {
  std::vector<CanvasMark>& marks = cell(column(x), row(y)).marks;
  const CanvasMark mark{sign, series};
  if (joined_ == nullptr) marks.clear();
  if (std::find(marks.begin(), marks.end(), mark) == marks.end()) marks.push_back(mark);
}

void TextCanvas::put_if_free(double x, double y, const std::string& sign, std::size_t series) {
  const Cell& at = cell(column(x), row(y));
  if (at.free() && at.dots == 0) put(x, y, sign, series);
}

void TextCanvas::put_right_of(double x, double y, const std::string& sign, std::size_t series) {
  Cell& at = cell(std::min(column(x) + 1, width_ - 1), row(y));
  if (at.free()) at.marks = {{sign, series}};
}

bool TextCanvas::write(int column, int row, const std::string& text, std::size_t series) {
  const int size = display_width(text);
  if (column < 0 || column + size > width_) return false;
  for (int i = column; i < column + size; ++i)
    if (!cell(i, row).free()) return false;
  for (std::string_view rest = text; !rest.empty() && column < width_;) {
    const std::size_t narrow = bytes_within(rest, 1);
    const std::size_t bytes = narrow > 0 ? narrow : std::max<std::size_t>(1, bytes_within(rest, 2));
    cell(column++, row).marks = {{std::string(rest.substr(0, bytes)), series}};
    if (narrow == 0 && column < width_) cell(column++, row).covered = true;
    rest.remove_prefix(bytes);
  }
  return true;
}

std::string TextCanvas::text(int row) const {
  std::string out, blanks, piece;  // piece: adjacent cells of one series
  std::size_t series = 0;
  const auto end_piece = [&] {
    if (!piece.empty()) out += series == kNoSeries ? piece : in_colour_of(series, terminal_, piece);
    piece.clear();
  };
  for (int column = 0; column < width_; ++column) {
    const Cell& at = cells_[static_cast<std::size_t>(row * width_ + column)];
    if (at.covered) continue;
    const bool empty = at.marks.empty() && at.dots == 0;
    const CanvasMark shown =
        at.marks.size() == 1 ? at.marks[0]
        : !at.marks.empty()  ? joined_->mark_of(at.marks, terminal_)
                             : CanvasMark{terminal_.unicode ? braille(at.dots) : ".", at.series};
    if (empty || shown.series != series) end_piece();
    if (empty) {
      blanks += ' ';
      continue;
    }
    out += blanks;
    blanks.clear();
    series = shown.series;
    piece += shown.sign;
  }
  end_piece();
  return out;
}

std::string in_colour_of(std::size_t series, const Terminal& terminal, const std::string& text) {
  // Standard colors, which every terminal's theme keeps readable.
  static constexpr std::array kColours = {"36", "33", "32", "35", "34", "31"};
  if (!terminal.colour) return text;
  return std::string("\033[") + kColours[series % kColours.size()] + "m" + text + "\033[0m";
}

std::string sign_of(std::size_t series, const Terminal& terminal) {
  static constexpr std::array kSigns = {"●", "■", "▲", "◆", "○", "□", "△", "◇", "▼", "▽", "★", "☆"};
  static constexpr std::array kPlain = {"o", "+", "x", "*", "#", "@", "%", "&", "$", "=", "~", "^"};
  return terminal.unicode ? kSigns[series % kSigns.size()] : kPlain[series % kPlain.size()];
}

}  // namespace runner
