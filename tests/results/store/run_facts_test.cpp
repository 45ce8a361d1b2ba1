// run_facts.cpp and run_export.cpp: facts about runs.
#include "results/store/run_facts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "tests/message_of.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

class Facts : public testing::Test {
 protected:
  Facts() {
    golden_runs(scratch.path());
    write_run(scratch.path(), {.number = 17, .lr = 0.01, .seed = 2, .more = {{"flag", true}}});
    fold(scratch.path());
    database = open_for_reading(scratch.path());
  }
  std::string refusal(const std::string& prefix) {
    return message_of<std::invalid_argument>([&] { find_run(*database, prefix); });
  }

  Scratch scratch;
  std::unique_ptr<Database> database;
};

}  // namespace

TEST_F(Facts, FindARunByTheStartOfItsId) {
  EXPECT_EQ(find_run(*database, "00000011"), run_id(17));
  EXPECT_NE(refusal("0000").find("got '0000': 00000001"), std::string::npos);
  EXPECT_NE(refusal("ffff").find("expected the first digits of a run's id, or its values"),
            std::string::npos);
  EXPECT_NE(refusal("%").find("got '%'"), std::string::npos);
  EXPECT_NE(refusal("00000004").find("is refused: runs/00000004"), std::string::npos);
}

TEST_F(Facts, ShowEverythingAboutARun) {
  const RunFacts facts = facts_of(*database, run_id(3));
  EXPECT_EQ(facts.status, "interrupted");
  EXPECT_EQ(facts.attempts, 2);
  EXPECT_EQ(facts.environment, (std::vector<Setting>{{"host", "there"}}));
  EXPECT_EQ(facts.artefacts.rows.size(), 1u);
  EXPECT_EQ(facts_of(*database, run_id(1)).sweeps, (std::vector<std::string>{"golden"}));
  EXPECT_EQ(facts_of(*database, run_id(17)).parameters[0], (Setting{"flag", "true"}));
}

// Run 3 was killed twice.
TEST_F(Facts, AnAttemptRunsOnlyWhileAProcessWritesIt) {
  const auto ends_of = [&](int number) {
    std::string text;
    for (const auto& row : facts_of(*database, run_id(number)).attempt_list.rows)
      text += cell_text(row[0]) + " " + cell_text(row[1]) + ", ";
    return text;
  };
  EXPECT_EQ(ends_of(3), "1 interrupted, 2 interrupted, ");
  EventWriter writer(run_folder(scratch.path(), run_id(3)), counting_clock());
  fold(scratch.path());
  EXPECT_EQ(ends_of(3), "1 interrupted, 2 running, ");
  EXPECT_EQ(ends_of(1), "1 done, ");
}

TEST_F(Facts, ShowOnlyWhatDiffers) {
  const Grid grid = difference(facts_of(*database, run_id(1)), facts_of(*database, run_id(17)));
  EXPECT_EQ(csv_of(grid),
            "part,key,00000001,00000011\nparameter,flag,,true\nparameter,optim.lr,0.001,0.01\n"
            "parameter,seed,1,2\n");
  RunFacts one = facts_of(*database, run_id(1)), again = one;
  one.environment = {{"argv", "[\"a\"]"}, {"host", "here"}, {"pid", "12"}};
  again.environment = {{"argv", "[\"b\"]"}, {"host", "there"}, {"pid", "34"}};
  EXPECT_EQ(csv_of(difference(one, again)),
            "part,key,00000001,00000001\nenvironment,host,here,there\n");
  EXPECT_TRUE(
      difference(facts_of(*database, run_id(1)), facts_of(*database, run_id(1))).rows.empty());
}

TEST_F(Facts, ShowAMetricThatIsNoNumber) {
  write_run(scratch.path(), {.number = 18, .valid = {24, NAN}});
  fold(scratch.path());
  const RunFacts facts = facts_of(*database, run_id(18));
  EXPECT_NE(csv_of(facts.metrics).find("valid.ppl,nan,200,24,100"), std::string::npos)
      << csv_of(facts.metrics);
  const std::string compared = csv_of(difference(facts_of(*database, run_id(1)), facts));
  EXPECT_NE(compared.find("metric,valid.ppl,24,nan"), std::string::npos) << compared;
}

TEST_F(Facts, LogARunInOrder) {
  EXPECT_EQ(csv_of(log_of(*database, run_id(3))),
            "time,attempt,what,text\n1001,1,begins,from step 0\n"
            ",1,checkpoint,checkpoints/200 at step 200\n1001,1,warning,killed soon\n"
            "1002,2,begins,from step 200\n");
  EXPECT_NE(csv_of(log_of(*database, run_id(2))).find("diverged,at step 300: NaN"),
            std::string::npos);
}

TEST_F(Facts, ExportWhatIsNoNumber) {
  write_run(scratch.path(), {.number = 18, .valid = {24, NAN}, .test = INFINITY});
  fold(scratch.path());
  const Grid grid = export_runs(*database, {"", "last", {run_id(18)}});
  EXPECT_NE(json_lines_of(grid).find(R"("test.ppl":"inf","train.loss":"nan","valid.ppl":"nan")"),
            std::string::npos)
      << json_lines_of(grid);
}

TEST_F(Facts, ExportEveryParameterAndMetric) {
  const std::string csv = csv_of(export_runs(*database, {"", "last"}));
  EXPECT_TRUE(csv.starts_with(
      "id,status,steps,attempts,flag,model.code,model.family,optim.lr,optim.steps,seed,task.name,"
      "test.ppl,train.loss,valid.ppl\n" +
      run_id(1) + ",done,300,1,,1-1-1-0,eos,0.001,300,1,mqar,24.5,3.1780538303479458,24\n"))
      << csv;
  EXPECT_EQ(export_runs(*database, {"golden", "lowest"}).rows.size(), 2u);
  EXPECT_THROW(export_runs(*database, {"absent", "last"}), std::invalid_argument);
  EXPECT_THROW(export_runs(*database, {"", "median"}), std::invalid_argument);
  EXPECT_THROW(export_runs(*database, {"", "last", {run_id(99)}}), std::invalid_argument);
  EXPECT_EQ(exported_runs(*database, {"", "last", {run_id(17), run_id(1)}}),
            (std::vector<std::string>{run_id(1), run_id(17)}));
}

}  // namespace results
