// Tables on terminals, against golden files (tests/results/golden); LCSM_NEW_GOLDEN=1
// rewrites them.
#include "runner/front/views/table_text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "results/tables/claim.h"
#include "runner/base/text/display_width.h"
#include "tests/results/fixture.h"
#include "tests/results/golden.h"

namespace runner {
namespace {

Terminal of_width_of_table_text(int width) { return {true, false, true, width}; }

results::Table of_marks_table_text() {
  const results::Scratch scratch;
  results::marked_runs(scratch.path());
  results::fold(scratch.path());
  const auto database = results::open_for_reading(scratch.path());
  results::Table table =
      results::make_table(*database, results::kTestRoles,
                          {.sweep = "marks", .rows = {"model.code"}, .baseline = "1-1-1-0"});
  table.claims = results::judge_claims({results::compare_claim(
      *database, results::kTestRoles,
      {.sweep = "marks", .text = "1-1-1-0 is best of model.code in valid.ppl"})});
  return table;
}

results::Table forty_by_thirty() {
  results::Table table;
  table.title = "Forty rows, thirty columns";
  table.row_keys = {"model.code"};
  table.column_keys = {"task.length"};
  for (int c = 0; c < 30; ++c)
    table.columns.push_back({{std::to_string(64 * (c + 1))}, "valid.ppl", true, true, 2, false});
  for (int r = 0; r < 40; ++r) {
    table.rows.push_back({"1-" + std::to_string(r) + "-1-0"});
    table.cells.emplace_back(30);
    for (int c = 0; c < 30; ++c)
      table.cells.back()[static_cast<std::size_t>(c)].statistics =
          results::statistics_of({20.0 + r + 0.25 * c, 20.5 + r + 0.25 * c});
  }
  return table;
}

int widest(const std::string& text) {
  int width = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) width = std::max(width, display_width(line));
  return width;
}

}  // namespace

TEST(TableText, OfEveryMarkOnNarrowAndWideTerminals) {
  results::expect_golden("results", "marks-80.txt",
                         table_text(of_marks_table_text(), of_width_of_table_text(80)));
  results::expect_golden("results", "marks-200.txt",
                         table_text(of_marks_table_text(), of_width_of_table_text(200)));
}

TEST(TableText, FortyByThirty) {
  results::expect_golden("results", "wide-80.txt",
                         table_text(forty_by_thirty(), of_width_of_table_text(80)));
  results::expect_golden("results", "wide-200.txt",
                         table_text(forty_by_thirty(), of_width_of_table_text(200)));
}

TEST(TableText, FitsAndNamesWhatItLeftOut) {
  for (const int width : {80, 200}) {
    const std::string text = table_text(forty_by_thirty(), of_width_of_table_text(width));
    EXPECT_LE(widest(text), width);
    EXPECT_NE(text.find("not shown: "), std::string::npos);
  }
  const std::string pipe = table_text(forty_by_thirty(), {});
  EXPECT_EQ(pipe.find("not shown: "), std::string::npos);
  EXPECT_NE(pipe.find("length=1920"), std::string::npos);
}

}  // namespace runner
