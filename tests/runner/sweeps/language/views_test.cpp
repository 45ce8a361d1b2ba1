// sweeps/views.cpp and the blocks that it reads: [[table]], [[figure]], [[claim]].
#include "runner/sweeps/language/views.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "runner/config/toml/config_mistakes.h"
#include "runner/sweeps/language/file.h"
#include "tests/message_of.h"

namespace runner {
namespace {

constexpr const char* kGood = R"toml(title = "Widths"
question = "How wide?"
paper = "lcsm/table4-o-types"
[grid]
model.d = [64, 128]
[[table]]
rows = "model.code"
columns = ["model.d"]
values = ["valid.ppl@best", "test.ppl"]
select = { best = "optim.lr", by = "valid.ppl" }
where.task.length = [64, 128]
where.optim.lr = 1e-3
sort = "valid.ppl@best"
statistic = "iqm"
baseline = "1-1-1-0"
precision = 3
matched = 0.05
[[table]]
[[figure]]
x = "model.d"
y = "test.accuracy"
series = "model.code"
facets = "task.length"
log = ["x", "y"]
band = "sd"
published = false
[[claim]]
claim = "1-9-1-0 < 1-1-1-0 in valid.ppl"
paper = "better by far"
over = ["task.length", "model.d"]
across = "optim.steps"
matched = 1
)toml";

// The views of a file "s.toml".
SweepViews parse_views(const std::string& text) {
  const FindSweep nowhere = [](const std::string& name, const std::string&) -> SweepText {
    throw std::runtime_error("unknown sweep '" + name + "'");
  };
  return read_sweep({"s", "s.toml", text}, nowhere, [](const std::string&) {}).views;
}

std::string refusal(const std::string& text) {
  return message_of<ConfigError>([&] { parse_views(text); });
}

// The first line of the mistake.
std::string mistake(const std::string& text) {
  const std::string all = refusal(text);
  return all.substr(0, all.find('\n'));
}

}  // namespace

TEST(SweepViews, AreReadFromASweepFile) {
  const SweepViews views = parse_views(kGood);
  EXPECT_EQ(views.title + views.question + views.paper, "WidthsHow wide?lcsm/table4-o-types");
  ASSERT_EQ(views.tables.size(), 2u);
  ASSERT_EQ(views.figures.size(), 1u);
  ASSERT_EQ(views.claims.size(), 1u);
  EXPECT_EQ(views.tables[1].sweep, "s");
  EXPECT_EQ(views.claims[0].text, "1-9-1-0 < 1-1-1-0 in valid.ppl");
  EXPECT_EQ(views.claims[0].paper, "better by far");
  EXPECT_EQ(views.claims[0].over, (std::vector<std::string>{"task.length", "model.d"}));
  EXPECT_EQ(views.claims[0].across, (std::vector<std::string>{"optim.steps"}));
  EXPECT_EQ(views.claims[0].matched, 1);
  EXPECT_EQ(views.tables[0].matched, 0.05);
  EXPECT_EQ(views.tables[1].matched, 0);
}

TEST(SweepViews, TablesTakeEveryOptionOfTheCommandLine) {
  const results::TableSpec table = parse_views(kGood).tables[0];
  EXPECT_EQ(table.rows, std::vector<std::string>{"model.code"});
  EXPECT_EQ(table.columns, std::vector<std::string>{"model.d"});
  EXPECT_EQ(table.values.size(), 2u);
  EXPECT_EQ(table.tuned, std::vector<std::string>{"optim.lr"});
  EXPECT_EQ(table.by, "valid.ppl");
  EXPECT_EQ(table.statistic, "iqm");
  EXPECT_EQ(table.where.at(0).key + " = " + table.where[0].value, "optim.lr = 0.001");
  EXPECT_EQ(table.where.at(1).key + " = " + table.where[1].value, "task.length = [64, 128]");
  EXPECT_EQ(table.sort + table.baseline + std::to_string(table.decimals), "valid.ppl@best1-1-1-03");
}

TEST(SweepViews, AConditionMayHaveAnEmptyText) {
  const results::TableSpec table = parse_views("[[table]]\nwhere.task.segments = ''\n").tables[0];
  EXPECT_EQ(table.where.at(0).key + " = " + table.where[0].value, "task.segments = ");
}

TEST(SweepViews, FiguresTakeEveryOptionOfTheCommandLine) {
  const results::FigureSpec figure = parse_views(kGood).figures[0];
  EXPECT_EQ(figure.x + figure.y, "model.dtest.accuracy");
  EXPECT_EQ(figure.facets, std::vector<std::string>{"task.length"});
  EXPECT_TRUE(figure.log_x == true && figure.log_y && !figure.published);
  EXPECT_EQ(figure.band, results::Band::kSd);
}

TEST(SweepViews, FiguresOfEveryKindAreRead) {
  const SweepViews views = parse_views(
      "[[figure]]\nkind = \"heatmap\"\nx = \"optim.lr\"\ny = \"valid.ppl\"\nlog = [\"y\"]\n"
      "[[figure]]\nkind = \"scatter\"\nx = \"params\"\ny = \"valid.ppl\"\nlog = [\"x\"]\n"
      "[[figure]]\nkind = \"parallel\"\ny = \"valid.ppl\"\n"
      "[[figure]]\nkind = \"importance\"\ny = \"valid.ppl\"\nfacets = \"model.code\"\n");
  ASSERT_EQ(views.figures.size(), 4u);
  EXPECT_EQ(views.figures[0].kind + views.figures[0].x, "heatmapoptim.lr");
  EXPECT_TRUE(views.figures[0].log_y && views.figures[1].log_x == true);
  EXPECT_EQ(views.figures[1].kind + views.figures[1].x, "scatterparams");
  EXPECT_EQ(views.figures[2].kind + views.figures[2].x, "parallel");
  EXPECT_EQ(views.figures[3].facets, std::vector<std::string>{"model.code"});
}

TEST(SweepViews, FiguresAreCheckedByKind) {
  EXPECT_EQ(mistake("[[figure]]\nkind = \"scater\"\nx = \"step\"\ny = \"valid.ppl\"\n"),
            "s.toml:2:8: expected one of lines, dots, heatmap, scatter, parallel, importance, got "
            "'scater'; did you mean 'scatter'?");
  EXPECT_EQ(mistake("[[figure]]\nkind = \"scatter\"\ny = \"valid.ppl\"\n"),
            "s.toml:1:1: a figure needs 'x': add x = \"params\"");
  EXPECT_EQ(mistake("[[figure]]\nkind = \"scatter\"\nx = \"parms\"\ny = \"valid.ppl\"\n"),
            "s.toml:3:5: no run reports 'parms'; did you mean 'params'?");
  EXPECT_EQ(mistake("[[figure]]\nx = \"params\"\ny = \"valid.ppl\"\n"),
            "s.toml:2:5: 'params' is a metric: only a figure of kind \"scatter\" is over one");
  EXPECT_EQ(mistake("[[figure]]\nkind = \"parallel\"\nx = \"model.d\"\ny = \"valid.ppl\"\n"),
            "s.toml:2:8: expected no x of a figure of kind 'parallel', got 'model.d'");
  EXPECT_EQ(mistake("[[figure]]\nkind = \"heatmap\"\nx = \"step\"\ny = \"valid.ppl\"\n"),
            "s.toml:2:8: expected a parameter as x of a figure of kind 'heatmap', got 'step'");
}

TEST(SweepViews, MistakesAreReportedWithTheirPlace) {
  EXPECT_EQ(refusal("[[table]]\nrow = \"model.code\"\n"),
            "s.toml:2:1: unknown key 'row' in a table; did you mean 'rows'?\n"
            "  row = \"model.code\"\n"
            "  ^");
  EXPECT_EQ(mistake("[[figure]]\ny = \"valid.ppl\"\n"),
            "s.toml:1:1: a figure needs 'x': add x = \"model.d\", or \"step\"");
  EXPECT_EQ(mistake("[[table]]\nprecision = 99\n"),
            "s.toml:2:13: 'precision' must be an integer from 0 to 17");
  for (const char* share : {"5", "-0.1", "nan", "\"0.05\""})
    EXPECT_EQ(mistake("[[table]]\nmatched = " + std::string(share) + "\n"),
              "s.toml:2:11: 'matched' must be a number from 0 to 1");
  EXPECT_EQ(mistake("[[table]]\nvalues = [\"params\", 3]\n"),
            "s.toml:2:21: 'values' must be a string in quotes, or a list of them");
  EXPECT_EQ(
      mistake("[[claim]]\nclaim = \"a = b\"\n"),
      "s.toml:2:9: expected 'A < B in METRIC', 'A > B in METRIC', 'A is best in METRIC' or 'A is "
      "worst in METRIC', got 'a = b'");
  EXPECT_EQ(mistake("[table]\n"), "s.toml:1:1: 'table' must be a list of tables: write [[table]]");
  EXPECT_EQ(mistake("x = [\n"), "s.toml:1:7: Error while parsing array: encountered end-of-file");
}

TEST(SweepViews, SeedsMayNotBeSelected) {
  EXPECT_EQ(mistake("[[table]]\nselect = { best = \"seed\", by = \"valid.ppl\" }\n"),
            "s.toml:2:19: the best seed is luck: select a parameter");
}

TEST(SweepViews, TestMetricsMayNotSelect) {
  EXPECT_EQ(mistake("[[table]]\nselect = { best = \"optim.lr\", by = \"test.ppl\" }\n"),
            "s.toml:2:36: expected a validation metric, got 'test.ppl': selecting by a test metric "
            "would bias it");
  EXPECT_NE(mistake("[[table]]\nvalues = \"test.ppl@best\"\n").find("not chosen by a test metric"),
            std::string::npos);
}

TEST(SweepViews, AllMistakesAreReportedAtOnce) {
  const std::string all = refusal(
      "[[table]]\nrows = \"a\"\ncolumns = \"a\"\nsort = 1\n[[figure]]\nx = \"step\"\n"
      "y = \"valid.ppl\"\nband = \"wide\"\nlog = \"z\"\nwhere = 3\nselect = { by = \"valid.ppl\" "
      "}\n");
  for (const char* part : {"3:11: 'a' is already in rows", "4:8: 'sort' must be a string",
                           "8:8: expected one of range, sd", "9:7: expected x, y or none",
                           "10:9: 'where' must be a table", "11:10: a select needs 'best'"})
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
}

// LCSM_FUZZ: the number of texts, 2000 by default.
TEST(SweepViews, MutatedFilesAreReadOrRejected) {
  const char* count = std::getenv("LCSM_FUZZ");
  const int rounds = count != nullptr ? std::atoi(count) : 2000;
  std::mt19937 random(3);
  for (int round = 0; round < rounds; ++round) {
    std::string text = kGood;
    for (int i = 0; i < 3; ++i) text[random() % text.size()] = "[]{}\"=.,\n#a1 "[random() % 13];
    EXPECT_NO_THROW(refusal(text)) << text;
  }
}

}  // namespace runner
