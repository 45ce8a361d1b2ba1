// Checks which value of a curve a table shows.
#include "results/tables/table_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "results/tables/table_formats.h"
#include "tests/message_of.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

std::string refusal_of_table_values(const std::string& text) {
  return message_of<std::invalid_argument>([&] { parse_value(text); });
}

// The mean of the only cell of a run whose valid.ppl is 30, 22, 24 at 100, 200, 300.
class ValuesOfACurve : public testing::Test {
 protected:
  ValuesOfACurve() { write_run(scratch.path(), {.number = 1, .valid = {30, 22, 24}, .test = 25}); }
  TableCell cell(const std::string& value) {
    fold(scratch.path());
    return make_table(*open_for_reading(scratch.path()), kTestRoles, {.values = {value}})
        .cells[0][0];
  }
  Scratch scratch;
};

}  // namespace

TEST_F(ValuesOfACurve, AreThoseOfTheRequestedStep) {
  EXPECT_EQ(cell("valid.ppl").statistics.mean, 24);
  EXPECT_EQ(cell("valid.ppl@last").statistics.mean, 24);
  EXPECT_EQ(cell("valid.ppl@best").statistics.mean, 22);
  EXPECT_EQ(cell("valid.ppl@100").statistics.mean, 30);
  EXPECT_EQ(cell("test.ppl@300").statistics.mean, 25);
}

TEST_F(ValuesOfACurve, AreThoseAtTheBestStepOfAnotherMetric) {
  EXPECT_EQ(cell("train.loss@valid.ppl").statistics.mean, std::log(22.0));
  const TableCell none = cell("test.ppl@valid.ppl");  // measured at step 300 only
  EXPECT_EQ(none.statistics.n, 0);
  EXPECT_EQ(none.marks, std::vector<Mark>{Mark::kPartly});
  write_run(scratch.path(), {.number = 2, .valid = {0.3, 0.7, 0.5}, .metric = "accuracy"});
  EXPECT_EQ(cell("valid.accuracy@best").statistics.mean, 0.7);
  EXPECT_EQ(cell("train.loss@valid.accuracy").statistics.mean, std::log(0.7));
}

TEST_F(ValuesOfACurve, OfARepeatedStepAreTheLaterOnes) {
  EventWriter writer(run_folder(scratch.path(), run_id(1)), counting_clock());
  writer.append(AttemptLine{100, 3, {}});
  writer.append(MetricsLine{200, {{"valid.ppl", 21}}});
  writer.append(EndLine{RunState::kDone, 300, ""});
  EXPECT_EQ(cell("valid.ppl@200").statistics.mean, 21);
  EXPECT_EQ(cell("valid.ppl@300").statistics.n, 0);
}

// numpy.logspace and 0.1 + 0.2 give numbers of 17 digits; SQLite prints 15.
TEST(ValuesOfAParameter, HaveEveryDigit) {
  const Scratch scratch;
  const double rate = 0.00031622776601683794;
  for (const int number : {1, 2})
    write_run(scratch.path(), {.number = number, .lr = number == 1 ? rate : 1e-3});
  fold(scratch.path());
  const auto database = open_for_reading(scratch.path());
  const Table table = make_table(*database, kTestRoles, {.rows = {"optim.lr"}});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(number_in(table.rows[0][0]), rate);
  EXPECT_EQ(table.rows[1][0], "0.001");
  const TableSpec one = {.rows = {"optim.lr"}, .where = {{"optim.lr", "0.00031622776601683794"}}};
  EXPECT_EQ(make_table(*database, kTestRoles, one).rows.size(), 1u);
}

// The mean of three times 0.1 is rounded.
TEST(ValuesOfAParameter, OfAllSeedsAreShownAsTheyAre) {
  const Scratch scratch;
  for (const int seed : {1, 2, 3})
    write_run(scratch.path(), {.number = seed, .lr = 0.1, .seed = seed});
  fold(scratch.path());
  const Table table =
      make_table(*open_for_reading(scratch.path()), kTestRoles, {.values = {"optim.lr"}});
  const ShownCell cell = shown(table).rows[0].back();
  EXPECT_EQ(cell.text + cell.sd, "0.1");
}

TEST_F(ValuesOfACurve, AtAStepWithoutAValueAreMarked) {
  EXPECT_EQ(cell("valid.ppl@150").marks, std::vector<Mark>{Mark::kPartly});
}

TEST(ValueText, NoTestMetricChoosesAStep) {
  EXPECT_EQ(refusal_of_table_values("test.ppl@best"),
            "expected a step that is not chosen by a test metric, got 'test.ppl@best': write "
            "test.ppl@last, or test.ppl@valid.ppl for its value at the best step of valid.ppl");
  EXPECT_TRUE(refusal_of_table_values("valid.ppl@test.ppl")
                  .starts_with("expected a step that is not chosen by a test"));
  EXPECT_EQ(refusal_of_table_values("test.ppl@valid.ppl"), "");
}

TEST(ValueText, RefusesInvalidText) {
  for (const char* text : {"a@", "a@first", "a@-1", "a@1x", "a@99999999999999999999", "a@b@c"})
    EXPECT_TRUE(refusal_of_table_values(text).starts_with("expected METRIC, METRIC@last")) << text;
}

TEST(ValueText, OfParametersIsAsInTheDatabase) {
  const Database database(":memory:", Database::Mode::kWrite);
  EXPECT_EQ(text_of(database, true), "1");
  EXPECT_EQ(text_of(database, std::int64_t{3}), "3");
  EXPECT_EQ(text_of(database, 1.0), "1.0");
  EXPECT_EQ(text_of(database, 1e-5), "1.0e-05");
  EXPECT_EQ(text_of(database, std::string("x")), "x");
  EXPECT_EQ(text_of(database, List{"[1]"}), "[1]");
}

}  // namespace results
