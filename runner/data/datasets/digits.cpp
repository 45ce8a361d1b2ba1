#include "runner/data/datasets/digits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace runner {
namespace {

struct Point {
  double x = 0, y = 0;
};

struct Line {
  Point from, to;
};

// The corners of each digit's strokes, x 0 to 2 and y 0 to 4, y downwards; '|' lifts the pen.
constexpr std::array<std::string_view, kDigitClasses> kStrokes = {
    "00 20 24 04 00",         "01 10 14",          "00 20 22 02 04 24", "00 20 24 04 | 02 22",
    "00 02 22 | 20 24",       "20 00 02 22 24 04", "20 00 04 24 22 02", "00 20 14",
    "00 20 24 04 00 | 02 22", "22 02 00 20 24 04"};
constexpr double kWidth = 2, kHeight = 4;

constexpr double kNarrowest = 3, kWidest = 6, kLowest = 6, kHighest = 9;  // pixels
constexpr double kSlant = 0.25;                                           // pixels a pixel
constexpr double kThinnest = 0.5, kThickest = 0.9;                        // half a stroke's width
constexpr double kFaintest = 0.5, kNoise = 0.25;  // shares of full brightness

// lo <= x < hi.
double uniform(RandomStream& random, double lo, double hi) {
  return lo + (hi - lo) * static_cast<double>(random.next32()) * 0x1p-32;
}

std::vector<Line> lines_of(std::string_view strokes) {
  std::vector<Line> lines;
  const Point* last = nullptr;
  Point corner;
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    if (strokes[i] == '|') last = nullptr;
    if (strokes[i] < '0' || strokes[i] > '9') continue;
    const Point next{static_cast<double>(strokes[i] - '0'),
                     static_cast<double>(strokes[i + 1] - '0')};
    ++i;
    if (last != nullptr) lines.push_back({corner, next});
    corner = next;
    last = &corner;
  }
  return lines;
}

double distance(Point at, const Line& line) {
  const double dx = line.to.x - line.from.x, dy = line.to.y - line.from.y;
  const double along =
      ((at.x - line.from.x) * dx + (at.y - line.from.y) * dy) / (dx * dx + dy * dy);
  const double share = std::clamp(along, 0.0, 1.0);
  const double x = at.x - line.from.x - share * dx, y = at.y - line.from.y - share * dy;
  return std::sqrt(x * x + y * y);
}

// Places a digit in the picture: both corners of its box stay inside.
std::vector<Line> placed(RandomStream& random, std::vector<Line> lines) {
  const double width = uniform(random, kNarrowest, kWidest);
  const double height = uniform(random, kLowest, kHighest);
  const double slant = uniform(random, -kSlant, kSlant), lean = std::abs(slant) * height;
  const double left = uniform(random, 0, kDigitSide - 1 - width - lean) + (slant < 0 ? lean : 0);
  const double top = uniform(random, 0, kDigitSide - 1 - height);
  for (Line& line : lines)
    for (Point* point : {&line.from, &line.to}) {
      const double y = point->y / kHeight * height;
      *point = {left + point->x / kWidth * width + slant * y, top + y};
    }
  return lines;
}

}  // namespace

NewExample digit_example(RandomStream& random) {
  NewExample example;
  example.label = static_cast<std::uint32_t>(random.below(kDigitClasses));
  const std::vector<Line> lines = placed(random, lines_of(kStrokes[example.label]));
  const double half = uniform(random, kThinnest, kThickest);
  const double brightness = uniform(random, kFaintest, 1);
  for (std::uint32_t i = 0; i < kDigitSide * kDigitSide; ++i) {
    const Point at{static_cast<double>(i % kDigitSide), static_cast<double>(i / kDigitSide)};
    double nearest = kDigitSide;
    for (const Line& line : lines) nearest = std::min(nearest, distance(at, line));
    // Full within the stroke, none a pixel beside it.
    const double ink = brightness * std::clamp(half + 0.5 - nearest, 0.0, 1.0);
    const double value = std::min(1.0, ink + uniform(random, 0, kNoise));
    example.sequences[0] += static_cast<char>(static_cast<unsigned char>(value * 255));
  }
  return example;
}

}  // namespace runner
