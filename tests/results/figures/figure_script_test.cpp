// figure_script.cpp, figure_layout.cpp, figure_style.h: the script for gnuplot.
#include "results/figures/figure_script.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "results/figures/figure_layout.h"
#include "results/figures/figure_style.h"
#include "results/store/fold.h"
#include "results/store/store.h"
#include "tests/results/figures/figure_samples.h"
#include "tests/results/fixture.h"
#include "tests/results/golden.h"

namespace results {
namespace {

Figure of_marks(const FigureSpec& spec) {
  const Scratch scratch;
  marked_runs(scratch.path());
  fold(scratch.path());
  return make_figure(*open_for_reading(scratch.path()), kTestRoles, spec);
}

// Relative luminance (WCAG 2): 0 is black, 1 is white.
double luminance(std::string_view rgb) {
  const double weights[] = {0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = std::stoi(std::string(rgb.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
    sum += weights[i] * (part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(std::string_view a, std::string_view b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST(FigureScript, OfAWorkspaceWithEveryMark) {
  const Figure figure = of_marks({.sweep = "marks",
                                  .x = "model.code",
                                  .y = "valid.ppl",
                                  .series = {"task.name"},
                                  .tuned = {"optim.lr"},
                                  .by = "valid.ppl"});
  expect_golden("results", "marks-figure.gp", figure_script(figure, Canvas::kSvg));
  expect_golden("results", "marks-figure.csv", figure_csv(figure));
}

TEST(FigureScript, OfCurves) {
  const Figure figure =
      of_marks({.sweep = "marks", .x = "step", .y = "valid.ppl", .log_x = true, .log_y = true});
  expect_golden("results", "marks-curves.gp", figure_script(figure, Canvas::kSvg));
}

TEST(FigureScript, NamesAreInert) {
  const Figure figure = hostile_figure();
  for (const Canvas canvas : {Canvas::kSvg, Canvas::kPng, Canvas::kInline}) {
    const std::string script = figure_script(figure, canvas);
    EXPECT_NE(script.find(" noenhanced"), std::string::npos);
    EXPECT_EQ(count(script, "\nsystem"), 0u);
    EXPECT_EQ(script.find('\x1b'), std::string::npos);
    EXPECT_EQ(count(script, "`"), 0u);  // would start a command
    EXPECT_GT(count(script, "\\140touch x\\140 \\\"$(touch x)\\\""), 0u);
    EXPECT_EQ(count(script, "\n\""), 0u);
    EXPECT_GT(count(script, "%%n"), 0u);  // in a tick label, which gnuplot formats
  }
}

TEST(FigureScript, EverySeriesHasItsOwnStyle) {
  std::set<std::pair<std::string_view, int>> looks;
  std::set<int> points;
  for (std::size_t i = 0; i < 12; ++i) {
    looks.insert({style_of(i).colour, style_of(i).point});
    points.insert(style_of(i).point);
  }
  EXPECT_EQ(looks.size(), 12u);
  EXPECT_EQ(points.size(), 12u);  // distinguishable without colour
}

// WCAG 2.1 requires 3 : 1 for parts of a graphic.
TEST(FigureScript, ColoursContrastWithWhiteAndWithADarkPage) {
  for (const std::string_view colour : kColours) {
    EXPECT_GE(contrast(colour, kPaper), 3) << colour;
    EXPECT_GE(contrast(colour, kDarkPage), 3) << colour;
  }
}

TEST(FigureScript, ALineHasNoMorePointsThanCanBeDistinguished) {
  std::vector<FigurePoint> points;
  for (int i = 0; i < 100000; ++i)
    points.push_back({static_cast<double>(i), 1, 1, 1, 1, "", "", {}});
  points[777].signs = "f";
  const auto fewer = thinned(points, {false, 0, 100000, {}});
  EXPECT_LE(fewer.size(), 403u);
  EXPECT_EQ(fewer.front().x, 0);
  EXPECT_EQ(fewer.back().x, 99999);
  EXPECT_EQ(std::count_if(fewer.begin(), fewer.end(), [](const auto& p) { return p.x == 777; }), 1);
}

TEST(FigureScript, LongTextEndsInAnEllipsis) {
  EXPECT_EQ(shortened("äöü", 3), "äöü");
  EXPECT_EQ(shortened("äöüß", 3), "äö…");
  EXPECT_EQ(shortened("abcd", 1), "…");
}

TEST(FigureScript, AnEmptyFigureIsAPictureToo) {
  Figure figure{.title = "t", .x = "x", .y = "y"};
  figure.panels = {{"", {}}};
  EXPECT_NE(figure_script(figure, Canvas::kSvg).find("plot NaN notitle"), std::string::npos);
}

}  // namespace results
