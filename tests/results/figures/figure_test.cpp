// figure.cpp and figure_curve.cpp: which numbers are drawn, and their notes.
#include "results/figures/figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "tests/message_of.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

class Figures : public testing::Test {
 protected:
  Figure made(const FigureSpec& spec) {
    fold(scratch.path());
    return make_figure(*open_for_reading(scratch.path()), kTestRoles, spec);
  }
  std::string refusal(const FigureSpec& spec) {
    return message_of<std::invalid_argument>([&] { made(spec); });
  }
  // One code at several widths, two seeds each.
  void widths(const std::string& code, double valid, const std::string& status = "done") {
    for (const std::int64_t d : {64, 128, 256})
      for (const std::int64_t seed : {1, 2})
        write_run(scratch.path(), {.number = ++runs,
                                   .code = code,
                                   .task = "wikitext-103",
                                   .sweep = "s",
                                   .seed = seed,
                                   .valid = {valid + static_cast<double>(seed)},
                                   .status = d == 128 ? status : "done",
                                   .more = {{"model.d", d}}});
  }
  Scratch scratch;
  int runs = 0;
};

bool has_note_of_figure(const Figure& figure, const std::string& note) {
  return std::find(figure.notes.begin(), figure.notes.end(), note) != figure.notes.end();
}

}  // namespace

TEST_F(Figures, OverAParameterAreTheMeansOfATable) {
  widths("1-1-1-0", 20);
  widths("1-9-1-0", 10);
  const Figure figure = made({.sweep = "s", .x = "model.d", .y = "valid.ppl"});
  EXPECT_EQ(figure.series, (std::vector<std::string>{"1-1-1-0", "1-9-1-0"}));
  ASSERT_EQ(figure.panels.size(), 1u);
  const FigurePoint point = figure.panels[0].series[1].points.at(2);
  EXPECT_EQ(point.x, 256);
  EXPECT_EQ(point.y, 11.5);
  EXPECT_EQ(point.n, 2);
  EXPECT_EQ(point.low, 11);
  EXPECT_EQ(point.high, 12);
}

TEST_F(Figures, FacetsAreASeriesOfPanels) {
  widths("1-1-1-0", 20);
  const Figure figure = made({.sweep = "s",
                              .x = "seed",
                              .y = "valid.ppl",
                              .series = {"model.code"},
                              .facets = {"model.d"}});
  ASSERT_EQ(figure.panels.size(), 3u);
  EXPECT_EQ(figure.panels[1].title, "d = 128");
  EXPECT_EQ(figure.panels[1].series[0].points.size(), 2u);
}

TEST_F(Figures, AFailedRunIsAGapWithAMark) {
  widths("1-1-1-0", 20, "failed");
  const Figure figure = made({.sweep = "s", .x = "model.d", .y = "valid.ppl"});
  const FigurePoint hole = figure.panels[0].series[0].points.at(1);
  EXPECT_TRUE(std::isnan(hole.y));
  EXPECT_EQ(hole.signs, "f");
  EXPECT_TRUE(has_note_of_figure(figure, "f a run failed"));
}

TEST_F(Figures, SayThatNoRunHasAValueYet) {
  const FigureSpec spec{.x = "model.d", .y = "valid.ppl", .series = {"model.code"}};
  write_run(scratch.path(), {.number = ++runs, .status = "failed", .more = {{"model.d", 64}}});
  EXPECT_TRUE(has_note_of_figure(made(spec), "no run has valid.ppl yet"));
  write_run(scratch.path(), {.number = ++runs, .valid = {20}, .more = {{"model.d", 128}}});
  EXPECT_FALSE(has_note_of_figure(made(spec), "no run has valid.ppl yet"));
}

TEST_F(Figures, SayHowManyPointsALogarithmicAxisCannotShow) {
  for (const double dropout : {0.0, 0.1, 0.2})
    write_run(scratch.path(),
              {.number = ++runs, .valid = {20}, .more = {{"model.dropout", dropout}}});
  FigureSpec spec{.x = "model.dropout", .y = "valid.ppl", .log_x = true};
  EXPECT_EQ(made(spec).notes.back(),
            "left out: 1 point, infinite or, on a logarithmic axis, not above 0");
  spec.log_x = false;
  EXPECT_TRUE(made(spec).notes.empty());
}

TEST_F(Figures, OverNamesHaveAnAxisOfNames) {
  widths("1-10-1-0", 20);
  widths("1-9-1-0", 10);
  const Figure figure =
      made({.sweep = "s", .x = "model.code", .y = "valid.ppl", .series = {"model.d"}});
  EXPECT_EQ(figure.x_names, (std::vector<std::string>{"1-9-1-0", "1-10-1-0"}));
  EXPECT_EQ(figure.panels[0].series[0].points[1].x, 1);
  EXPECT_EQ(figure.panels[0].series[0].points[0].published, 24.23);
}

TEST_F(Figures, PublishedNumbersBelongToTheirSeries) {
  widths("1-9-1-0", 10);
  const FigureSpec spec{.sweep = "s", .x = "model.d", .y = "valid.ppl", .series = {"model.code"}};
  const Figure figure = made(spec);
  EXPECT_EQ(figure.panels[0].series[0].published, 24.23);
  EXPECT_TRUE(has_note_of_figure(figure, "paper: as printed in lcsm/table4-o-types"));
  FigureSpec other = spec;
  other.scope.as_paper = std::set<std::string>();  // these runs do not do what the paper did
  EXPECT_FALSE(made(other).has_published);
  FigureSpec without = spec;
  without.published = false;
  EXPECT_FALSE(made(without).has_published);
}

TEST_F(Figures, OverStepsAreMeansWhereEverySeedHasAValue) {
  write_run(scratch.path(), {.number = 1, .seed = 1, .valid = {30, 25, 24}});
  write_run(scratch.path(), {.number = 2, .seed = 2, .valid = {32, 26}});
  const Figure figure = made({.x = "step", .y = "valid.ppl", .series = {"model.code"}});
  const auto& points = figure.panels[0].series[0].points;
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].x, 100);
  EXPECT_EQ(points[0].y, 31);
  EXPECT_EQ(points[0].low, 30);
  EXPECT_EQ(points[1].high, 26);
  EXPECT_EQ(points[1].signs, "b");  // the runs were configured with different numbers of steps
  EXPECT_TRUE(has_note_of_figure(figure, "steps at which some seed has no value are left out"));
  write_run(scratch.path(), {.number = 3, .seed = 3, .valid = {28, NAN, 23}});
  const Figure with_nan = made({.x = "step", .y = "valid.ppl", .series = {"model.code"}});
  ASSERT_EQ(with_nan.panels[0].series[0].points.size(), 1u) << "no number is no value";
  EXPECT_EQ(with_nan.panels[0].series[0].points[0].y, 30);
}

TEST_F(Figures, OverStepsShowOnlyRunsThatCount) {
  write_run(scratch.path(), {.number = 1, .valid = {30, 25, 24}});
  write_run(scratch.path(), {.number = 2, .seed = 2, .valid = {9, 9, 9}, .status = "diverged"});
  EventWriter writer(run_folder(scratch.path(), run_id(1)), counting_clock());
  writer.append(AttemptLine{100, 3, {}});
  writer.append(MetricsLine{200, {{"valid.ppl", 21}}});
  writer.append(EndLine{RunState::kDone, 200, ""});
  const Figure figure = made({.x = "step", .y = "valid.ppl", .series = {"model.code"}});
  const auto& points = figure.panels[0].series[0].points;
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[1].y, 21);
}

TEST_F(Figures, BandsAreComputedAsRequested) {
  for (int seed = 1; seed <= 3; ++seed)
    write_run(scratch.path(), {.number = seed, .seed = seed, .valid = {20.0 + seed}});
  FigureSpec spec{.x = "model.code", .y = "valid.ppl", .series = {"task.name"}};
  const auto band = [&](Band requested) {
    spec.band = requested;
    const FigurePoint point = made(spec).panels[0].series[0].points[0];
    EXPECT_NEAR(point.y - point.low, point.high - point.y, 1e-9);
    return point.high - point.y;
  };
  EXPECT_EQ(band(Band::kRange), 1);
  EXPECT_EQ(band(Band::kSd), 1);
  EXPECT_NEAR(band(Band::kInterval), 4.302652729749462 / std::sqrt(3.0), 1e-9);  // as scipy's t
  EXPECT_EQ(band(Band::kNone), 0);
}

TEST_F(Figures, ALineOfOneSeedIsWholeAndHasNoBand) {
  for (int seed = 1; seed <= 3; ++seed)
    write_run(scratch.path(), {.number = seed, .seed = seed, .valid = {20.0 + seed}});
  const Figure each = made({.x = "step", .y = "valid.ppl", .series = {"model.code", "seed"}});
  EXPECT_EQ(each.panels[0].series[2].points[0].signs, "");
  EXPECT_EQ(each.notes, std::vector<std::string>{});
  const Figure mean = made({.x = "step", .y = "valid.ppl", .series = {"model.code"}});
  EXPECT_EQ(mean.notes[0], "band: from the lowest to the highest seed");
}

TEST_F(Figures, AParameterThatGrowsByFactorsHasALogarithmicAxis) {
  const auto is_log = [this](const std::vector<std::string>& axes) {
    FigureSpec spec{.x = "optim.lr", .y = "valid.ppl"};
    set_log(axes, &spec);
    return made(spec).log_x;
  };
  for (const double lr : {1e-4, 1e-3}) write_run(scratch.path(), {.number = ++runs, .lr = lr});
  EXPECT_FALSE(is_log({})) << "two values";
  write_run(scratch.path(), {.number = ++runs, .lr = 3e-3});
  EXPECT_TRUE(is_log({}));
  EXPECT_FALSE(is_log({"none"}) || is_log({"y"}));
  for (const double lr : {4e-3, 5e-3}) write_run(scratch.path(), {.number = ++runs, .lr = lr});
  EXPECT_FALSE(is_log({})) << "even steps";
  EXPECT_TRUE(is_log({"x"}));
}

TEST_F(Figures, RefuseWhatCannotBeDrawn) {
  widths("1-1-1-0", 20);
  EXPECT_EQ(refusal({.y = "valid.ppl"}), "expected a parameter or 'step' as x, got none");
  EXPECT_EQ(refusal({.x = "step"}), "expected a metric as y, got none");
  EXPECT_EQ(refusal({.x = "step", .y = "valid.ppl@best"}),
            "expected a metric over the steps, got 'valid.ppl@best', which is one number per "
            "run");
  EXPECT_EQ(refusal({.x = "model.code", .y = "valid.ppl", .log_x = true}),
            "expected numbers on a logarithmic x, got 'model.code' = '1-1-1-0'");
  EXPECT_EQ(refusal({.x = "seed", .y = "valid.ppl", .facets = {"seed"}}),
            "expected x, series and facets to differ, got 'seed' twice");
}

TEST_F(Figures, CsvHasALinePerPoint) {
  widths("1-9-1-0", 10, "failed");
  EXPECT_EQ(figure_csv(made({.sweep = "s", .x = "model.d", .y = "valid.ppl"})),
            "facet,series,model.d,valid.ppl,low,high,n,published,chosen,marks\n"
            ",1-9-1-0,64,11.5,11,12,2,24.23,,\n"
            ",1-9-1-0,128,,,,0,24.23,,f\n"
            ",1-9-1-0,256,11.5,11,12,2,24.23,,\n");
}

}  // namespace results
