// figure_shares.cpp: how much of the variance each parameter explains.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "results/figures/figure_steps.h"
#include "tests/results/figures/figure_samples.h"

namespace results {
namespace {

using Labels = std::vector<std::vector<std::string>>;

const Labels kSquare = {{"0", "0"}, {"0", "1"}, {"1", "0"}, {"1", "1"}};

bool has_note(const Figure& figure, const std::string& part) {
  return std::any_of(figure.notes.begin(), figure.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

}  // namespace

// 2 a + b: the variance is 1.25; the variance of the means of a is 1, of b 0.25.
TEST(Shares, OfASumAddUpToOne) {
  const Shares shares = shares_of(kSquare, {0, 1, 2, 3});
  EXPECT_DOUBLE_EQ(shares.main.at(0), 0.8);
  EXPECT_DOUBLE_EQ(shares.main.at(1), 0.2);
  EXPECT_NEAR(shares.interactions, 0, 1e-15);
}

TEST(Shares, OfAnExclusiveOrAreInteractionsOnly) {
  const Shares shares = shares_of(kSquare, {0, 1, 1, 0});
  EXPECT_EQ(shares.main, (std::vector<double>{0, 0}));
  EXPECT_EQ(shares.interactions, 1);
}

// a and b: the variance is 3/16; the means of a, 0 and 1/2, have the variance 1/16.
TEST(Shares, OfAnAndAreAThirdEach) {
  const Shares shares = shares_of(kSquare, {0, 0, 0, 1});
  for (const double share : {shares.main.at(0), shares.main.at(1), shares.interactions})
    EXPECT_DOUBLE_EQ(share, 1 / 3.0);
}

TEST(Shares, OfThreeParametersWithSeveralValues) {
  Labels labels;
  std::vector<double> values;
  for (const int a : {0, 1, 2})
    for (const int b : {0, 1})
      for (const int c : {0, 1}) {
        labels.push_back({std::to_string(a), std::to_string(b), std::to_string(c)});
        values.push_back(a + b * c);
      }
  // var(a) = 2/3; b * c has variance 3/16, of which b and c have 1/16 each.
  const Shares shares = shares_of(labels, values);
  const double all = 2.0 / 3 + 3.0 / 16;
  EXPECT_DOUBLE_EQ(shares.main.at(0), 2.0 / 3 / all);
  EXPECT_DOUBLE_EQ(shares.main.at(1), 1.0 / 16 / all);
  EXPECT_NEAR(shares.interactions, 1.0 / 16 / all, 1e-15);
  EXPECT_EQ(shares.combinations, 12);
}

TEST(Shares, WithoutACombinationHaveNoRest) {
  const Shares shares = shares_of({{"0", "0"}, {"0", "1"}, {"1", "0"}}, {0, 1, 2});
  EXPECT_DOUBLE_EQ(shares.main.at(0), 0.75);  // means 1/2 of two and 2, about 1
  EXPECT_DOUBLE_EQ(shares.main.at(1), 0.0);   // means 1 of two and 1
  EXPECT_TRUE(std::isnan(shares.interactions));
  EXPECT_EQ(shares.combinations, 4);
}

TEST(Shares, NeedValuesThatDiffer) {
  EXPECT_TRUE(std::isnan(shares_of(kSquare, {1, 1, 1, 1}).main.at(0)));
  EXPECT_TRUE(shares_of({}, {}).main.empty());
}

// Main effects, computed separately: the rates' means are 24, 23 and 26 around the total, and so
// on.
TEST(Shares, OfAGridOfRuns) {
  const Figure figure = of_grid({.y = "valid.ppl", .kind = "importance"});
  EXPECT_EQ(figure.x_names,
            (std::vector<std::string>{"model.code", "model.d", "optim.lr", "interactions"}));
  const auto& points = figure.panels.at(0).series.at(0).points;
  ASSERT_EQ(points.size(), 4u);
  const double code = 25.0 / 4, d = 9.0 / 4, lr = 14.0 / 9, both = 1.0 / 4;
  const double all = code + d + lr + both;
  EXPECT_NEAR(points[0].y, code / all, 1e-12);
  EXPECT_NEAR(points[1].y, d / all, 1e-12);
  EXPECT_NEAR(points[2].y, lr / all, 1e-12);
  EXPECT_NEAR(points[3].y, both / all, 1e-12);
  EXPECT_EQ(points[0].n, 24);
  EXPECT_TRUE(has_note(figure, "main effects of the functional ANOVA"));
  EXPECT_TRUE(has_note(figure, "seeds explain about 0.097 %"));  // 0.01 of 371/36
  EXPECT_FALSE(has_note(figure, "incomplete"));
}

TEST(Shares, OfARequestedParameterAreOverTheMeansOfItsValues) {
  const Figure figure = of_grid({.y = "valid.ppl", .series = {"model.d"}, .kind = "importance"});
  EXPECT_EQ(figure.x_names, (std::vector<std::string>{"model.d", "interactions"}));
  EXPECT_DOUBLE_EQ(figure.panels[0].series[0].points[0].y, 1);
}

TEST(Shares, SayWhereTheGridIsIncomplete) {
  const Scratch scratch;
  grid_runs(scratch.path());
  for (const int seed : {1, 2})
    write_run(scratch.path(), {.number = 100 + seed,
                               .code = "1-3-1-0",
                               .sweep = "grid",
                               .seed = seed,
                               .valid = {30.0 + seed},
                               .more = {{"model.d", std::int64_t{64}}}});
  write_run(scratch.path(), {.number = 103,
                             .code = "1-3-1-0",
                             .sweep = "grid",
                             .valid = {99},
                             .status = "diverged",
                             .more = {{"model.d", std::int64_t{128}}}});
  fold(scratch.path());
  const Figure figure = make_figure(*open_for_reading(scratch.path()), kTestRoles,
                                    {.sweep = "grid", .y = "valid.ppl", .kind = "importance"});
  EXPECT_TRUE(has_note(figure, "incomplete: 13 of 18 combinations of values have a result"));
  EXPECT_TRUE(has_note(figure, "left out: 1 combination of values without a result"));
  EXPECT_EQ(figure.x_names.size(), 3u) << "interactions are unknown";
}

TEST(Shares, MayBeAllOfTheSeeds) {
  const Scratch scratch;
  for (const int seed : {1, 2})
    for (const int code : {1, 3})
      write_run(scratch.path(), {.number = 10 * seed + code,
                                 .code = "1-" + std::to_string(code) + "-1-0",
                                 .sweep = "noise",
                                 .seed = seed,
                                 .valid = {100.0 * seed + code}});
  fold(scratch.path());
  const Figure figure = make_figure(*open_for_reading(scratch.path()), kTestRoles,
                                    {.sweep = "noise", .y = "valid.ppl", .kind = "importance"});
  EXPECT_TRUE(has_note(figure, "seeds explain about 100 %"));
}

TEST(Shares, OfALogarithmAreNamedSo) {
  const Figure figure = of_grid({.y = "valid.ppl", .log_y = true, .kind = "importance"});
  EXPECT_TRUE(has_note(figure, "share of the variance of the logarithm of valid.ppl"));
  EXPECT_FALSE(figure.log_y) << "its axis is not logarithmic";
}

}  // namespace results
