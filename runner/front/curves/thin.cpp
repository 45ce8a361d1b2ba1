#include "runner/front/curves/thin.h"

#include <algorithm>
#include <cmath>

namespace runner {
namespace {

bool is_finite(const CurvePoint& point) { return std::isfinite(point.value); }

bool is_lower(const CurvePoint& a, const CurvePoint& b) {
  return is_finite(a) && (!is_finite(b) || a.value < b.value);
}
bool is_higher(const CurvePoint& a, const CurvePoint& b) {
  return is_finite(a) && (!is_finite(b) || a.value > b.value);
}

using Iterator = std::vector<CurvePoint>::const_iterator;

void keep_extremes(Iterator begin, Iterator end, std::vector<CurvePoint>* kept) {
  Iterator chosen[] = {std::min_element(begin, end, is_lower),
                       std::min_element(begin, end, is_higher),
                       std::find_if_not(begin, end, is_finite)};
  std::sort(std::begin(chosen), std::end(chosen));
  const auto last = std::unique(std::begin(chosen), std::end(chosen));
  for (auto each = std::begin(chosen); each != last; ++each)
    if (*each != end) kept->push_back(**each);
}

}  // namespace

std::vector<CurvePoint> thinned(std::vector<CurvePoint> points, std::size_t most) {
  if (points.size() <= most) return points;
  const std::size_t each = std::all_of(points.begin(), points.end(), is_finite) ? 2 : 3;
  const std::size_t parts = std::max<std::size_t>(1, (most - 2) / each), inner = points.size() - 2;
  const auto at = [&](std::size_t part) {
    return points.begin() + 1 + static_cast<std::ptrdiff_t>(part * inner / parts);
  };
  std::vector<CurvePoint> kept = {points.front()};
  kept.reserve(most);
  for (std::size_t part = 0; part < parts; ++part) keep_extremes(at(part), at(part + 1), &kept);
  kept.push_back(points.back());
  return kept;
}

}  // namespace runner
