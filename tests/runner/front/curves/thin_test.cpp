#include "runner/front/curves/thin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace runner {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

std::vector<CurvePoint> wave(std::int64_t size) {
  std::vector<CurvePoint> points;
  for (std::int64_t i = 0; i < size; ++i)
    points.push_back({10 * i, std::sin(static_cast<double>(i))});
  return points;
}

bool is_in_order(const std::vector<CurvePoint>& points) {
  return std::adjacent_find(points.begin(), points.end(), [](const auto& a, const auto& b) {
           return a.step >= b.step;
         }) == points.end();
}

std::ptrdiff_t not_finite(const std::vector<CurvePoint>& points) {
  return std::count_if(points.begin(), points.end(),
                       [](const CurvePoint& point) { return !std::isfinite(point.value); });
}

}  // namespace

TEST(Thin, ShortCurvesStay) {
  EXPECT_EQ(thinned(wave(1000), 1000), wave(1000));
  EXPECT_TRUE(thinned({}, 10).empty());
}

TEST(Thin, KeepsEndsAndPeaks) {
  std::vector<CurvePoint> points = wave(100'000);
  points[31'415].value = 7;
  points[27'182].value = -7;
  const auto kept = thinned(points, 1000);
  EXPECT_LE(kept.size(), 1000u);
  EXPECT_GE(kept.size(), 900u) << "no more is dropped than needed";
  EXPECT_EQ(kept.front(), points.front());
  EXPECT_EQ(kept.back(), points.back());
  EXPECT_NE(std::find(kept.begin(), kept.end(), points[31'415]), kept.end());
  EXPECT_NE(std::find(kept.begin(), kept.end(), points[27'182]), kept.end());
  EXPECT_TRUE(is_in_order(kept));
}

TEST(Thin, KeepsAnyNumber) {
  for (const std::size_t most : {4u, 5u, 7u, 50u})
    for (const std::int64_t size : {5, 6, 7, 51, 1001}) {
      const auto kept = thinned(wave(size), most);
      EXPECT_LE(kept.size(), most) << size;
      EXPECT_TRUE(is_in_order(kept)) << size << " to " << most;
    }
}

TEST(Thin, KeepsWhatIsNotFiniteBesideThePeaks) {
  std::vector<CurvePoint> points = wave(10'000);
  points[5000].value = kNaN;
  points[5001].value = 7;
  points[7000].value = kInf;
  const auto kept = thinned(points, 300);
  EXPECT_LE(kept.size(), 300u);
  EXPECT_EQ(not_finite(kept), 2);
  EXPECT_NE(std::find(kept.begin(), kept.end(), points[5001]), kept.end());
}

TEST(Thin, OfNothingButNaNKeepsSome) {
  const auto kept = thinned(std::vector<CurvePoint>(1000, {1, kNaN}), 100);
  EXPECT_LE(kept.size(), 100u);
  EXPECT_GE(not_finite(kept), 30);
}

}  // namespace runner
