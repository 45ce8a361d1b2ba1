#include "runner/front/views/report_gates.h"

#include <gtest/gtest.h>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "runner/config/run/run_id.h"
#include "runner/config/toml/oscillation_file.h"
#include "tests/results/fixture.h"

namespace runner {
namespace {

constexpr const char* kFloored = R"toml([oscillation.floored]
o = "sigmoid(w_d) + (1 - sigmoid(w_d)) * sigmoid(p_d)"
init.w_d = "normal"
help = "a decay above a floor"
)toml";

class ReportGates : public testing::Test {
 protected:
  void SetUp() override {
    gate = parse_oscillations(kFloored, "a.toml").at(0);
    results::write_run(scratch.path(), {.number = 1, .code = "1-1-1-0"});
    for (const int number : {2, 3})
      results::write_run(scratch.path(), {.number = number,
                                          .code = "1-floored-1-2",
                                          .seed = number,
                                          .more = {{"model.oscillation", gate_text_of(gate)}}});
    results::fold(scratch.path());
    database = results::open_for_reading(scratch.path());
  }

  results::Scratch scratch;
  lcsm::Oscillation gate;
  std::unique_ptr<results::Database> database;
};

TEST_F(ReportGates, HaveWhatTheyComputeAndTheirHelp) {
  lcsm::Catalogue catalogue;
  catalogue.add(gate);
  const results::Grid grid = report_gates(*database, "", {}, catalogue);
  EXPECT_EQ(grid.headers, (std::vector<std::string>{"gate", "o", "first values", "help"}));
  ASSERT_EQ(grid.rows.size(), 1u);
  EXPECT_EQ(results::cell_text(grid.rows[0][0]), "floored");
  EXPECT_NE(results::cell_text(grid.rows[0][1]).find("sigmoid(p_d)"), std::string::npos);
  EXPECT_EQ(results::cell_text(grid.rows[0][2]), "w_d = normal");
  EXPECT_EQ(results::cell_text(grid.rows[0][3]), "a decay above a floor");
}

TEST_F(ReportGates, HelpOfAnotherGateOfThatNameIsNotTheirs) {
  lcsm::Catalogue catalogue;
  catalogue.add(
      parse_oscillations("[oscillation.floored]\no = 'sigmoid(p_k)'\nhelp = 'x'", "").at(0));
  EXPECT_EQ(report_gates(*database, "", {}, catalogue).headers.back(), "first values");
}

TEST_F(ReportGates, AreThoseOfTheRunsMeant) {
  EXPECT_TRUE(report_gates(*database, "", {results::run_id(1)}, {}).rows.empty());
  EXPECT_TRUE(report_gates(*database, "other", {}, {}).rows.empty());
  EXPECT_EQ(report_gates(*database, "", {results::run_id(3)}, {}).rows.size(), 1u);
}

}  // namespace
}  // namespace runner
