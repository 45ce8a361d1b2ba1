// table_shown.cpp, table_markup.cpp, table_data.cpp against golden files of one workspace that
// has every mark. LCSM_NEW_GOLDEN=1 rewrites them; look at the diff before you commit.
#include "results/tables/table_formats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "tests/results/fixture.h"
#include "tests/results/golden.h"

namespace results {
namespace {

class Formats : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Scratch scratch;
    marked_runs(scratch.path());
    fold(scratch.path());
    table_ = make_table(*open_for_reading(scratch.path()), kTestRoles,
                        {.sweep = "marks", .rows = {"model.code"}, .baseline = "1-1-1-0"});
  }
  static inline Table table_;
};

using Json = nlohmann::ordered_json;

// One line for each key and each cell.
std::string lines_of(const Json& json) {
  std::string out;
  for (const auto& [key, value] : json.items()) {
    if (key != "cells") {
      out += key + ": " + value.dump() + "\n";
      continue;
    }
    for (const Json& row : value)
      for (const Json& cell : row) out += "cell: " + cell.dump() + "\n";
  }
  return out;
}

Table hostile() {
  const std::string bad = "=<script>\x1b[2J|\\input{x}_$&\n";
  Table table{bad, bad, {bad}, {bad}, {{bad}}, {{{bad}, bad}}, {}, {{.parts = {{"", bad}}}}};
  TableCell cell;
  cell.statistics = statistics_of({1});
  cell.samples = {{bad, bad, RunState::kDone, bad, 1.0}};
  cell.chosen = bad;
  table.cells = {{cell}};
  return table;
}

}  // namespace

TEST_F(Formats, Markdown) { expect_golden("results", "marks.md", table_markdown(table_)); }
TEST_F(Formats, Tex) { expect_golden("results", "marks.tex", table_tex(table_)); }
TEST_F(Formats, Html) { expect_golden("results", "marks.html", table_html(table_)); }
TEST_F(Formats, Csv) { expect_golden("results", "marks.csv", table_csv(table_)); }
TEST_F(Formats, Json) {
  const Json json = Json::parse(table_json(table_));
  EXPECT_EQ(table_json(table_), json.dump(1) + "\n");
  expect_golden("results", "marks-json.txt", lines_of(json));
}

TEST_F(Formats, JsonNamesItsSchemaAndTheRunsOfEveryCell) {
  const auto json = nlohmann::json::parse(table_json(table_));
  EXPECT_EQ(json["schema"], "lcsm.table/1");
  EXPECT_EQ(json["cells"].size(), table_.rows.size());
  EXPECT_EQ(json["cells"][0][0]["runs"].size(), 3u);
  Table claims = table_;
  Claim& made = claims.claims.emplace_back();
  made.effect = -0.5;
  made.low = -1;
  made.high = 2;
  made.p = 0.25;
  const auto claim = nlohmann::json::parse(table_json(claims))["claims"][0];
  EXPECT_EQ(claim["effect"], -0.5);
  EXPECT_EQ(claim["interval"], nlohmann::json({-1, 2}));
  EXPECT_EQ(claim["p"], 0.25);
}

TEST_F(Formats, EveryMarkThatIsUsedIsExplainedAndNoOther) {
  for (const MarkRow& row : kMarks) {
    if (row.mark == Mark::kMachines) continue;  // of speed and memory: table_relative_test
    const std::string note = std::string(row.sign) + " " + std::string(row.meaning);
    const std::vector<std::string> texts = note_texts(table_);
    EXPECT_EQ(std::count_if(texts.begin(), texts.end(),
                            [&](const std::string& text) { return text.starts_with(note); }),
              1)
        << note;
  }
  EXPECT_TRUE(hostile().notes.size() == 1);
}

TEST_F(Formats, HostileNamesAreText) {
  const Table table = hostile();
  for (const std::string& text : {table_markdown(table), table_tex(table), table_html(table),
                                  table_csv(table), table_json(table)}) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_NE(text.find("script"), std::string::npos);
  }
  EXPECT_EQ(table_html(table).find("<script>"), std::string::npos);
  EXPECT_EQ(table_markdown(table).find("<script>"), std::string::npos);
  EXPECT_EQ(table_tex(table).find("\\input"), std::string::npos);
  EXPECT_EQ(table_csv(table).find("\n="), std::string::npos);
}

TEST_F(Formats, DecimalsFollowTheSize) {
  Table table = hostile();
  table.columns[0].decimals = 3;
  table.columns[0].fixed = true;
  table.cells[0][0].statistics.mean = 1e300;
  EXPECT_EQ(shown(table).rows[0][1].text.size(), 301u + 4);
  table.cells[0][0].statistics.mean = std::nan("");
  EXPECT_EQ(shown(table).rows[0][1].text, "");
}

TEST_F(Formats, AMeanThatDecimalsCannotShowHasAnExponent) {
  Table table = hostile();
  table.columns[0].decimals = 3;
  Statistics& statistics = table.cells[0][0].statistics;
  statistics = {.n = 2, .mean = 1.25e-7, .sd = 2e-9};
  EXPECT_EQ(shown(table).rows[0][1].text, "1.25e-07");
  EXPECT_EQ(shown(table).rows[0][1].sd, "2.00e-09");
  statistics.mean = -4e-4;
  EXPECT_EQ(shown(table).rows[0][1].text, "-4.00e-04") << "and not -0.000";
  statistics.mean = 0.0125;
  EXPECT_EQ(shown(table).rows[0][1].text, "0.013");
  statistics.mean = 2.5e21;
  EXPECT_EQ(shown(table).rows[0][1].text, "2.50e+21");
  statistics.mean = 0;
  EXPECT_EQ(shown(table).rows[0][1].text, "0.000");
  table.columns[0].fixed = true;
  statistics.mean = 1.25e-7;
  EXPECT_EQ(shown(table).rows[0][1].text, "0.000") << "as the user asked for";
}

TEST_F(Formats, ADifferenceOfSuchAMeanHasAnExponent) {
  Table table = hostile();
  table.columns[0].decimals = 3;
  table.columns[0].has_published = table.columns[0].as_paper = true;
  TableCell& cell = table.cells[0][0];
  cell.statistics.mean = 3.5e-7;
  cell.published = 1.25e-7;
  cell.as_paper = true;
  cell.difference = -2.5e-8;
  EXPECT_EQ(shown(table).rows[0][3].text, "+2.25e-07");
  EXPECT_EQ(shown(table).rows[0][4].text, "-2.50e-08");
  cell.statistics.mean = 3.5;
  EXPECT_EQ(shown(table).rows[0][4].text, "-0.000");
}

TEST_F(Formats, AParameterIsExactIfAllRunsHaveIt) {
  Table table = hostile();
  table.n = 3;
  table.columns[0].decimals = 3;
  table.columns[0].is_metric = false;
  Statistics& statistics = table.cells[0][0].statistics;
  const auto text = [&] {
    const ShownCell cell = shown(table).rows[0][1];
    return cell.text + "|" + cell.sd + "|" + cell.n;
  };
  statistics = {.n = 3, .mean = 2.5, .sd = 0.25};
  EXPECT_EQ(text(), "2.500|0.250|");
  statistics.sd = 0;
  EXPECT_EQ(text(), "2.5||");
  statistics.n = 1;
  EXPECT_EQ(text(), "2.5||1");
}

TEST(ShownTable, OneLargeValueLeavesTheOthersTheirDecimals) {
  const Scratch scratch;
  write_run(scratch.path(), {.number = 1, .code = "1-1-1-0", .valid = {24.54}});
  write_run(scratch.path(), {.number = 2, .code = "1-2-1-0", .valid = {5123.4}});
  fold(scratch.path());
  const ShownTable all = shown(make_table(*open_for_reading(scratch.path()), kTestRoles,
                                          {.rows = {"model.code"}, .values = {"valid.ppl"}}));
  EXPECT_EQ(all.rows[0][1].text, "24.54");
  EXPECT_EQ(all.rows[1][1].text, "5123.40");
}

}  // namespace results
