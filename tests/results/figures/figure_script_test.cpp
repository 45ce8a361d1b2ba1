// figure_script.cpp, figure_layout.cpp, figure_style.h: the script for gnuplot.
#include "results/figures/figure_script.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "results/figures/figure_layout.h"
#include "results/figures/figure_scale.h"
#include "results/figures/figure_style.h"
#include "tests/results/figures/figure_samples.h"
#include "tests/results/golden.h"

namespace results {
namespace {

Figure of_marks(const FigureSpec& spec) {
  const Scratch scratch;
  marked_runs(scratch.path());
  fold(scratch.path());
  return make_figure(*open_for_reading(scratch.path()), kTestRoles, spec);
}

Rgb rgb_of(std::string_view text) {
  const auto part = [&](std::size_t i) {
    return std::stoi(std::string(text.substr(1 + 2 * i, 2)), nullptr, 16);
  };
  return {part(0), part(1), part(2)};
}

double contrast(const Rgb& a, const Rgb& b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

// The color of a band on that page.
Rgb faint(const Rgb& colour, const Rgb& page) {
  const auto mixed = [](int over, int under) {
    return static_cast<int>(kBandOpacity * over + (1 - kBandOpacity) * under);
  };
  return {mixed(colour.red, page.red), mixed(colour.green, page.green),
          mixed(colour.blue, page.blue)};
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
  expect_golden("results", "marks-figure.gp", with_short_data(figure_script(figure, Canvas::kSvg)));
  expect_golden("results", "marks-figure.csv", figure_csv(figure));
}

TEST(FigureScript, OfCurves) {
  const Figure figure = of_marks({.sweep = "marks",
                                  .x = "step",
                                  .y = "valid.ppl",
                                  .series = {"model.code", "optim.steps"},
                                  .log_x = true,
                                  .log_y = true,
                                  .where = {{"model.code", "1-10-1-0"}}});
  const std::string script = figure_script(figure, Canvas::kSvg);
  EXPECT_LT(script.rfind("filledcurves"), script.find(" with lines")) << "a band tints a line";
  expect_golden("results", "marks-curves.gp", with_short_data(script));
}

TEST(FigureScript, NamesAreInert) {
  for (const auto& [kind, canvas] :
       {std::pair("", Canvas::kSvg), std::pair("", Canvas::kPng), std::pair("", Canvas::kInline),
        std::pair("heatmap", Canvas::kSvg), std::pair("scatter", Canvas::kSvg),
        std::pair("parallel", Canvas::kSvg), std::pair("importance", Canvas::kSvg)}) {
    SCOPED_TRACE(kind);
    const std::string script = figure_script(hostile_figure(kind), canvas);
    EXPECT_NE(script.find(" noenhanced"), std::string::npos);
    EXPECT_EQ(count(script, "\nsystem"), 0u);
    EXPECT_EQ(script.find('\x1b'), std::string::npos);
    EXPECT_EQ(count(script, "`"), 0u);  // would start a command
    EXPECT_GT(count(script, "\\140touch x\\140 \\\"$(touch x)\\\""), 0u);
    EXPECT_EQ(count(script, "\n\""), 0u);
    if (kind == std::string_view("scatter")) continue;
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
  EXPECT_EQ(points.size(), 12u);  // distinguishable without color
}

// WCAG 2.1 requires 3 : 1 for parts of a graphic.
TEST(FigureScript, PointsOfMoreSeriesThanStylesAreNumbered) {
  Figure figure;
  figure.kind = "scatter";
  figure.x = "params";
  figure.y = "test.ppl";
  figure.panels.resize(1);
  for (std::size_t i = 0; i < kMostNamed + 1; ++i) {
    figure.series.push_back("model " + std::to_string(i));
    FigureSeries& series = figure.panels[0].series.emplace_back();
    series.name = i;
    FigurePoint& point = series.points.emplace_back();
    point.x = static_cast<double>(i);
    point.y = point.low = point.high = 1;
  }
  EXPECT_TRUE(is_numbered(figure));
  const std::string script = figure_script(figure, Canvas::kSvg);
  EXPECT_EQ(count(script, "title '17  model 16'"), 1u);
  EXPECT_EQ(count(script, "set label '17' at 16,1 "), 1u);
  figure.series.pop_back();
  figure.panels[0].series.pop_back();
  EXPECT_FALSE(is_numbered(figure)) << "names fit";
}

TEST(FigureScript, ColoursContrastWithWhiteAndWithADarkPage) {
  for (const std::string_view colour : kColours)
    for (const std::string_view page : {kPaper, kDarkPage}) {
      EXPECT_GE(contrast(rgb_of(colour), rgb_of(page)), 3) << colour;
      EXPECT_GE(contrast(faint(rgb_of(colour), rgb_of(page)), rgb_of(page)), 1.3) << colour;
    }
}

TEST(FigureScript, TheScaleBrightensAndItsLinesAreVisibleOnBothPages) {
  for (int i = 0; i <= 100; ++i) {
    const double part = i / 100.0, next = (i + 1) / 100.0;
    EXPECT_LE(luminance(scale_colour(part)), luminance(scale_colour(next))) << i;
    for (const std::string_view page : {kPaper, kDarkPage})
      EXPECT_GE(contrast(line_colour(part), rgb_of(page)), 2) << i;
    const Rgb ink = is_dark(scale_colour(part)) ? Rgb{255, 255, 255} : Rgb{16, 16, 16};
    EXPECT_GE(contrast(scale_colour(part), ink), 4) << i;
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
