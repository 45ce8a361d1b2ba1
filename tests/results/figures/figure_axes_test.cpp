#include "results/figures/figure_axes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace results {
namespace {

Figure with_points(const std::vector<std::pair<double, double>>& points) {
  Figure figure{.title = "t", .x = "x", .y = "y"};
  figure.series = {"s"};
  figure.panels = {{"", {{0, {}, {}}}}};
  for (const auto& [x, y] : points)
    figure.panels[0].series[0].points.push_back({x, y, y, y, 1, "", "", {}});
  return figure;
}

std::string labels(const Axis& axis) {
  std::string out;
  for (const auto& [value, text] : axis.ticks) out += text + " ";
  return out;
}

}  // namespace

TEST(FigureAxes, CoverAllValuesWithAMargin) {
  const Axis axis = y_axis(with_points({{1, 10}, {2, 30}}));
  EXPECT_DOUBLE_EQ(axis.low, 9);
  EXPECT_DOUBLE_EQ(axis.high, 31);
  EXPECT_DOUBLE_EQ(axis.at(0.5), 20);
  Figure figure = with_points({{1, 10}, {2, 30}});
  figure.panels[0].series[0].points[0].published = 50;
  figure.panels[0].series[0].published = 5;
  EXPECT_LT(y_axis(figure).low, 5);
  EXPECT_GT(y_axis(figure).high, 50);
  figure.log_y = true;
  for (const Axis& each : {axis, y_axis(figure)})
    EXPECT_DOUBLE_EQ(part_of(each.at(0.25), each), 0.25);
}

TEST(FigureAxes, OfOneValueAreNotEmpty) {
  for (const double value : {0.0, 5.0, -5.0}) {
    const Axis axis = y_axis(with_points({{1, value}}));
    EXPECT_LT(axis.low, value);
    EXPECT_GT(axis.high, value);
  }
  EXPECT_LT(y_axis(with_points({})).low, y_axis(with_points({})).high);
}

TEST(FigureAxes, ATickAtEachOfAFewValues) {
  Figure figure = with_points({{64, 1}, {128, 1}, {256, 1}, {512, 1}});
  figure.log_x = true;
  EXPECT_EQ(labels(x_axis(figure)), "64 128 256 512 ");
  figure.log_x = false;  // too close to each other: even steps
  EXPECT_EQ(labels(x_axis(with_points({{1, 1}, {2, 1}, {1000, 1}}))), "0 200 400 600 800 1000 ");
}

TEST(FigureAxes, LogarithmicOnesHaveAtLeastThreeTicks) {
  Figure figure = with_points({{1, 20}, {2, 33}});
  figure.log_y = true;
  EXPECT_EQ(labels(y_axis(figure)), "20 25 30 ");
  figure = with_points({{1, 0.3}, {2, 30}});
  figure.log_y = true;
  EXPECT_EQ(labels(y_axis(figure)), "0.5 1 2 5 10 20 ");
  figure = with_points({{1, 1e-9}, {2, 1e9}});
  figure.log_y = true;
  EXPECT_EQ(y_axis(figure).ticks.size(), 19u);
}

TEST(FigureAxes, LeaveOutWhatTheyCannotShow) {
  Figure figure = with_points({{0, -1}, {10, 5}, {100, 6}, {1000, std::nan("")}});
  figure.log_x = figure.log_y = true;
  EXPECT_GT(x_axis(figure).low, 0);
  EXPECT_GT(y_axis(figure).low, 4);
  EXPECT_FALSE(is_shown(0, true));
  EXPECT_TRUE(is_shown(-1, false));
  EXPECT_FALSE(is_shown(INFINITY, false));
}

TEST(FigureAxes, HaveTicksAtTheLimitsOfNumbers) {
  const double most = std::numeric_limits<double>::max(), least = 5e-324;
  const double next = std::nextafter(1e17, most);
  for (const auto& [low, high] : std::vector<std::pair<double, double>>{{-1e308, 1e308},
                                                                        {-1e300, 1e300},
                                                                        {least, most},
                                                                        {least, least},
                                                                        {least, 2 * least},
                                                                        {1e-300, 1e300},
                                                                        {1e17, next},
                                                                        {most, most},
                                                                        {0, least}})
    for (const bool log : {false, true}) {
      Figure figure = with_points({{1, low}, {2, high}});
      figure.log_y = log;
      for (const Axis& axis : {y_axis(figure), colour_axis(figure), shares_axis(figure)}) {
        EXPECT_TRUE(std::isfinite(axis.high - axis.low)) << low << " " << high;
        EXPECT_LT(axis.low, axis.high) << low << " " << high << " " << log;
        EXPECT_LE(axis.ticks.size(), 40u);
        for (const double value : {low, high})
          if (is_shown(value, log) && axis.low > 0) {
            EXPECT_TRUE(std::isfinite(part_of(value, axis)));
          }
      }
    }
  EXPECT_EQ(labels(y_axis(with_points({{1, 1e300}, {2, 0}}))),
            "0 2e+299 4e+299 6e+299 8e+299 1e+300 ");
}

TEST(FigureAxes, NamesAreSpacedEvenly) {
  Figure figure = with_points({{0, 1}, {1, 1}});
  figure.x_names = {"a", "b"};
  const Axis axis = x_axis(figure);
  EXPECT_EQ(labels(axis), "a b ");
  EXPECT_EQ(axis.low, -0.5);
  EXPECT_EQ(axis.high, 1.5);
}

}  // namespace results
