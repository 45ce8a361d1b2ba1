#include "runner/sweeps/plan/run_values.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "results/events/run_notes.h"
#include "results/store/fold.h"
#include "results/store/store.h"
#include "tests/message_of.h"
#include "tests/results/fixture.h"

namespace runner {
namespace {

using results::run_id;

std::string refusal_of_run_values(const std::string& word) {
  return message_of<std::invalid_argument>([&] { run_values(word); });
}

class RunsByValues : public ::testing::Test {
 protected:
  const results::Scratch scratch;
  std::unique_ptr<results::Database> database;
  RunStates states;

  void SetUp() override {
    int number = 0;
    for (const char* code : {"1-1-1-0", "1-9-1-0"})
      for (const int seed : {1, 2, 3})
        results::write_run(scratch.path(), {.number = ++number,
                                            .code = code,
                                            .sweep = seed == 3 ? "third" : "",
                                            .lr = seed == 1 ? 1e-3 : 3e-3,
                                            .seed = seed,
                                            .status = number == 5 ? "diverged" : "done"});
    results::add_tag(results::run_folder(scratch.path(), run_id(2)), "best");
    results::fold(scratch.path());
    database = results::open_for_reading(scratch.path());
    states = run_states(*database, scratch.path());
  }

  // The numbers of the runs: "1 4".
  std::string found(const std::string& word) {
    std::string text;
    for (const std::string& id : runs_with(*database, states, run_values(word)))
      text += (text.empty() ? "" : " ") + std::string(1, id[7]);
    return text;
  }
};

}  // namespace

TEST(RunValues, AreReadAsTheyArePrinted) {
  EXPECT_EQ(run_values("model.code = 1-9-1-0, seed = 2"),
            (RunValues{{"model.code", "1-9-1-0"}, {"seed", "2"}}));
  EXPECT_EQ(run_values("seed=2"), (RunValues{{"seed", "2"}}));
}

TEST(RunValues, OptionsOfACodeBelongToIt) {
  EXPECT_EQ(run_values("model.code=1-4-1-4@tau=8,k=64,seed=2"),
            (RunValues{{"model.code", "1-4-1-4@tau=8,k=64"}, {"seed", "2"}}));
}

TEST(RunValues, HaveTheSizesOfACodeApart) {
  EXPECT_EQ(with_sizes_apart(run_values("model.code=1-4-1-4@tau=8,k=64,gate=frozen,d=32,seed=2")),
            (RunValues{{"model.code", "1-4-1-4@tau=8,gate=frozen"},
                       {"seed", "2"},
                       {"model.k", "64"},
                       {"model.d", "32"}}));
  EXPECT_EQ(with_sizes_apart(run_values("task.path=a@k=4")), (RunValues{{"task.path", "a@k=4"}}));
}

TEST(RunValues, RefuseWhatNoRunCanHave) {
  EXPECT_NE(refusal_of_run_values("model.cod=1").find("did you mean 'model.code'?"),
            std::string::npos);
  EXPECT_NE(refusal_of_run_values("batch_size=1").find("did you mean 'optim.batch'?"),
            std::string::npos);
  EXPECT_NE(refusal_of_run_values("seed=1, ").find("expected KEY=VALUE"), std::string::npos);
  EXPECT_NE(refusal_of_run_values("seed=").find("expected KEY=VALUE"), std::string::npos);
}

TEST_F(RunsByValues, AreThoseWithAllOfThem) {
  EXPECT_EQ(found("model.code = 1-9-1-0"), "4 5 6");
  EXPECT_EQ(found("model.code = 1-9-1-0, seed = 2"), "5");
  EXPECT_EQ(found("optim.lr=0.0030"), "2 3 5 6");
  EXPECT_EQ(found("optim.lr=3e-3, seed=1"), "");
}

TEST_F(RunsByValues, KnowTagsSweepsAndStates) {
  EXPECT_EQ(found("tag=best"), "2");
  EXPECT_EQ(found("sweep=third"), "3 6");
  EXPECT_EQ(found("state=diverged"), "5");
  EXPECT_EQ(found("state=failed"), "5");
  EXPECT_EQ(found("state=done, seed=2"), "2");
}

TEST_F(RunsByValues, SayWhichValueNoRunHas) {
  const auto why = [&](const char* word) { return none_with(*database, states, run_values(word)); };
  EXPECT_EQ(why("model.code=1-9-1-0, seed=7"),
            "no run has model.code = 1-9-1-0, seed = 7; with the rest, seed is 1, 2, 3");
  EXPECT_EQ(why("seed=7"), "no run has seed = 7; seed is 1, 2, 3");
}

TEST_F(RunsByValues, NameNumbersInTheirOrder) {
  for (const int seed : {10, 9})
    results::write_run(scratch.path(), {.number = seed, .lr = 3e-3, .seed = seed});
  results::fold(scratch.path());
  states = run_states(*database, scratch.path());
  EXPECT_EQ(none_with(*database, states, run_values("seed=7")),
            "no run has seed = 7; seed is 1, 2, 3, 9, 10");
}

TEST_F(RunsByValues, SayHowTheyDiffer) {
  EXPECT_EQ(differences_of(*database, {run_id(1), run_id(2), run_id(4)}),
            "model.code (1-1-1-0, 1-9-1-0), optim.lr (0.001, 0.003), seed (1, 2)");
}

TEST_F(RunsByValues, PointsThatWereNotStartedHaveThemToo) {
  const results::Values point = {{"seed", std::int64_t{4}}, {"optim.lr", 1e-3}};
  const auto has = [&](const char* word) {
    return point_has(*database, point, "mine", results::RunState::kNew, run_values(word));
  };
  EXPECT_TRUE(has("seed=4, optim.lr=1e-3, sweep=mine, state=new"));
  EXPECT_FALSE(has("seed=4, optim.lr=3e-3"));
  EXPECT_FALSE(has("model.code=1-9-1-0"));
  EXPECT_FALSE(has("tag=best"));
}

}  // namespace runner
