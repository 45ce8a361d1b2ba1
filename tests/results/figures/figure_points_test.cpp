// figure_points.cpp: cells, pairs of metrics, groups. Goldens: LCSM_NEW_GOLDEN=1 rewrites them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "results/figures/figure_groups.h"
#include "results/figures/figure_script.h"
#include "tests/message_of.h"
#include "tests/results/figures/figure_samples.h"
#include "tests/results/golden.h"

namespace results {
namespace {

std::string refusal_of_figure_points(const FigureSpec& spec) {
  return message_of<std::invalid_argument>([&] { check_figure(spec); });
}

}  // namespace

TEST(FigurePoints, OfEveryKindAsCsvAndScript) {
  for (const Figure& figure : grid_figures()) {
    expect_golden("results", "grid-" + figure.kind + ".csv", figure_csv(figure));
    expect_golden("results", "grid-" + figure.kind + ".gp",
                  with_short_data(figure_script(figure, Canvas::kSvg)));
  }
}

TEST(FigurePoints, OfAHeatmapHaveAPlaceForEachValue) {
  const Figure figure = grid_figures()[0];
  EXPECT_EQ(figure.x_names, (std::vector<std::string>{"0.001", "0.003", "0.01"}));
  EXPECT_EQ(figure.series, (std::vector<std::string>{"64", "128"}));
  EXPECT_EQ(figure.series_key, "model.d");
  EXPECT_EQ(legend_of(figure), (std::vector<std::string>{"model.d = 64", "model.d = 128"}));
  EXPECT_EQ(legend_of(grid_figures()[1])[0], "1-1-1-0") << "a name speaks for itself";
  ASSERT_EQ(figure.panels.size(), 2u);
  const FigurePoint& point = figure.panels[1].series[1].points.at(0);
  EXPECT_NEAR(point.y, 31, 1e-12);
  EXPECT_EQ(point.n, 2);
  const Axis rows = rows_axis(figure);
  EXPECT_GT(rows.low, rows.high) << "the first row is at the top";
  EXPECT_FALSE(figure.has_published);
}

TEST(FigurePoints, OfAHeatmapWhereOnlyXVariesAreOneRow) {
  const Scratch scratch;
  write_run(scratch.path(), {.number = 1, .code = "1-1-1-0"});
  write_run(scratch.path(), {.number = 2, .code = "1-2-1-0"});
  fold(scratch.path());
  const Figure figure = make_figure(*open_for_reading(scratch.path()), kTestRoles,
                                    {.x = "model.code", .y = "valid.ppl", .kind = "heatmap"});
  EXPECT_EQ(figure.series, std::vector<std::string>{"mqar"});
  EXPECT_EQ(figure.panels.at(0).series.at(0).points.size(), 2u);
}

TEST(FigurePoints, OfPairsAreTheBestRatesOfEachGroup) {
  const Figure figure = grid_figures()[1];
  EXPECT_EQ(figure.series, (std::vector<std::string>{"1-1-1-0", "1-9-1-0"}));
  EXPECT_EQ(figure.keys, std::vector<std::string>{"model.d"});
  const auto& points = figure.panels.at(0).series.at(1).points;
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].labels, std::vector<std::string>{"64"});
  EXPECT_NEAR(points[0].x, 24, 1e-12);
  EXPECT_NEAR(points[0].y, 25, 1e-12);
  EXPECT_EQ(points[0].chosen, "optim.lr=0.003");
}

TEST(FigurePoints, OfPairsAreInTheRequestedSeries) {
  const Figure figure =
      of_grid({.x = "valid.ppl", .y = "test.ppl", .series = {"model.d"}, .kind = "scatter"});
  EXPECT_EQ(figure.series, (std::vector<std::string>{"64", "128"}));
  EXPECT_EQ(figure.keys, std::vector<std::string>{"model.code"});
}

TEST(FigurePoints, OfGroupsHaveEveryParameterAndTheRate) {
  const Figure figure = grid_figures()[2];
  EXPECT_EQ(figure.keys, (std::vector<std::string>{"model.code", "model.d", "optim.lr"}));
  EXPECT_EQ(figure.x_names.back(), "valid.ppl");
  EXPECT_EQ(figure.panels.at(0).series.at(0).points.size(), 12u);
  const GroupAxes axes = group_axes(figure);
  EXPECT_EQ(axes.values[1], (std::vector<std::string>{"64", "128"})) << "64 before 128";
  const auto lines = group_lines(figure, figure.panels[0], axes);
  ASSERT_EQ(lines.size(), 12u);
  EXPECT_EQ(lines.back(), (std::vector<double>{0, 0, 0.5, 0})) << "the best one is drawn last";
  EXPECT_EQ(lines.front(), (std::vector<double>{1, 1, 0, 1}));
}

TEST(FigurePoints, WithoutAResultAreLeftOutAndCounted) {
  Figure figure = grid_figures()[2];
  figure.panels[0].series[0].points[3].y = std::nan("");
  EXPECT_EQ(group_lines(figure, figure.panels[0], group_axes(figure)).size(), 11u);
  const Scratch scratch;
  write_run(scratch.path(), {.number = 1, .code = "1-1-1-0"});
  write_run(scratch.path(), {.number = 2, .code = "1-2-1-0", .status = "diverged"});
  fold(scratch.path());
  for (const FigureSpec& spec : {FigureSpec{.x = "test.ppl", .y = "valid.ppl", .kind = "scatter"},
                                 FigureSpec{.y = "valid.ppl", .kind = "parallel"}}) {
    const Figure made = make_figure(*open_for_reading(scratch.path()), kTestRoles, spec);
    EXPECT_EQ(made.notes.back(), "left out: 1 combination of values without a result");
  }
}

TEST(FigurePoints, OfRunsThatDoNotExistHaveNoEvaluatedX) {
  const Scratch scratch;
  write_run(scratch.path(), {.number = 1, .code = "1-1-1-0"});
  fold(scratch.path());
  const RunLine missing = run_line({.number = 2, .code = "1-9-1-0"});
  const Figure figure = make_figure(*open_for_reading(scratch.path()), kTestRoles,
                                    {.x = "@optim.lr",
                                     .y = "valid.ppl",
                                     .log_x = true,
                                     .scope = {.planned = {{missing.run, missing.parameters}}}});
  EXPECT_TRUE(figure.x_names.empty());
  EXPECT_EQ(figure.panels.at(0).series.at(0).points.size(), 1u);
}

TEST(FigurePoints, SpecsAreCheckedByKind) {
  EXPECT_EQ(refusal_of_figure_points({.y = "valid.ppl", .kind = "heatmap"}),
            "expected a parameter as x of a figure of kind 'heatmap', got none");
  EXPECT_EQ(refusal_of_figure_points({.x = "step", .y = "valid.ppl", .kind = "heatmap"}),
            "expected a parameter as x of a figure of kind 'heatmap', got 'step'");
  EXPECT_EQ(refusal_of_figure_points({.y = "valid.ppl", .kind = "scatter"}),
            "expected a metric as x of a figure of kind 'scatter', got none");
  EXPECT_EQ(refusal_of_figure_points({.x = "valid.ppl", .y = "valid.ppl", .kind = "scatter"}),
            "expected two values, got 'valid.ppl' as x and as y");
  EXPECT_EQ(refusal_of_figure_points({.x = "model.d", .y = "valid.ppl", .kind = "parallel"}),
            "expected no x of a figure of kind 'parallel', got 'model.d'");
  EXPECT_EQ(refusal_of_figure_points({.kind = "importance"}), "expected a metric as y, got none");
  EXPECT_EQ(refusal_of_figure_points({.y = "valid.ppl", .log_x = true, .kind = "importance"}),
            "expected only y as logarithmic axis of a figure of kind 'importance', got x: the "
            "values of its parameters are evenly spaced");
  EXPECT_EQ(
      refusal_of_figure_points({.x = "params", .y = "valid.ppl", .log_x = true, .kind = "scatter"}),
      "");
}

}  // namespace results
