#include "runner/front/curves/curves.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "tests/results/fixture.h"

namespace runner {
namespace {

std::vector<Curve> curves_in(const results::Scratch& scratch, const std::vector<std::string>& ids,
                             const CurveLimits& limits = {}) {
  results::fold(scratch.path());
  return read_curves(*results::open_for_reading(scratch.path()), ids, limits);
}

}  // namespace

TEST(Curves, AreOfEveryRunAndMetric) {
  const results::Scratch scratch;
  results::write_run(scratch.path(), {.number = 1});
  results::write_run(scratch.path(), {.number = 2, .valid = {9, 8}, .test = std::nan("")});
  const auto curves = curves_in(scratch, {results::run_id(2), "unknown", results::run_id(1)});
  ASSERT_EQ(curves.size(), 5u);
  EXPECT_EQ(curves[1].run, 0u);
  EXPECT_EQ(curves[1].metric, "valid.ppl");
  EXPECT_EQ(curves[1].points, (std::vector<CurvePoint>{{100, 9}, {200, 8}}));
  EXPECT_EQ(curves[2].run, 2u);
  EXPECT_EQ(curves[2].metric, "test.ppl");
}

TEST(Curves, HaveWhatIsNotFinite) {
  const results::Scratch scratch;
  const double inf = std::numeric_limits<double>::infinity();
  results::write_run(scratch.path(), {.number = 1, .valid = {9, std::nan(""), inf}});
  const auto curves = curves_in(scratch, {results::run_id(1)});
  EXPECT_TRUE(std::isnan(curves.back().points[1].value));
  EXPECT_EQ(curves.back().points[2].value, inf);
}

TEST(Curves, LeaveOutWhatAResumedAttemptDiscarded) {
  const results::Scratch scratch;
  const auto folder = results::write_run(scratch.path(), {.number = 1, .status = ""});
  {
    results::EventWriter again(folder, results::counting_clock());
    again.append(results::AttemptLine{100, 3, {}});
    again.append(results::MetricsLine{200, {{"valid.ppl", 20.0}}});
  }
  EXPECT_EQ(curves_in(scratch, {results::run_id(1)}).back().points,
            (std::vector<CurvePoint>{{100, 30}, {200, 20}}));
}

TEST(Curves, OfManyRunsAreShorter) {
  const results::Scratch scratch;
  for (int i = 1; i <= 4; ++i)
    results::write_run(scratch.path(), {.number = i, .valid = std::vector<double>(200, 2)});
  std::vector<std::string> ids;
  for (int i = 1; i <= 4; ++i) ids.push_back(results::run_id(i));
  const auto all = [](const std::vector<Curve>& curves) {
    std::size_t sum = 0;
    for (const Curve& curve : curves) sum += curve.points.size();
    return sum;
  };
  EXPECT_EQ(all(curves_in(scratch, ids)), 4u * 401);
  EXPECT_LE(all(curves_in(scratch, ids, {.of_all = 800})), 800u);
  EXPECT_LE(all(curves_in(scratch, ids, {.of_one = 20, .least = 4})), 4u * 41);
  EXPECT_GE(all(curves_in(scratch, ids, {.of_all = 1})), 4u * 2 * 2) << "the least";
}

}  // namespace runner
