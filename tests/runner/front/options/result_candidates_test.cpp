#include "runner/front/options/result_candidates.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "results/events/evaluations.h"
#include "results/events/metric.h"
#include "results/events/run_notes.h"
#include "results/store/fold.h"
#include "tests/results/fixture.h"

namespace runner {
namespace {

class ResultCandidates : public testing::Test {
 protected:
  void SetUp() override {
    const auto write = [&](int number, const char* sweep, const char* code, double lr) {
      results::write_run(scratch.path(),
                         {.number = number, .code = code, .sweep = sweep, .lr = lr});
    };
    write(1, "gates", "1-1-1-0", 0.1);
    write(2, "gates", "1-3-1-0", 0.1);
    write(3, "rates", "1-1-1-0", 0.2);
    write(4, "rates", "1-1-1-0", 0.4);
    results::write_evaluation(results::run_folder(scratch.path(), results::run_id(3)),
                              {"task.length=8", 1, 1, {{"test.ppl", 1}}, {}});
    results::add_tag(results::run_folder(scratch.path(), results::run_id(1)), "good");
    results::fold(scratch.path());
  }
  Typed table(const std::string& sweep) const {
    Typed words = {"table", "--workspace", scratch.path().string()};
    if (!sweep.empty()) words.push_back(sweep);
    return words;
  }
  const results::Scratch scratch;
};

using Words = std::vector<std::string>;

Words words_of_all(const std::vector<Candidate>& candidates) {
  Words words;
  for (const Candidate& one : candidates) words.push_back(one.word);
  return words;
}

bool has(const std::vector<Candidate>& candidates, const std::string& word) {
  const Words words = words_of_all(candidates);
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

TEST_F(ResultCandidates, ParametersAreThoseThatVaryInTheSweep) {
  EXPECT_EQ(words_of_all(parameter_candidates("", table("gates"))), Words{"model.code"});
  EXPECT_EQ(words_of_all(parameter_candidates("", table("rates"))),
            (Words{"optim.lr", "@task.length"}));
  EXPECT_EQ(words_of_all(parameter_candidates("", table("my/rates.toml"))),
            (Words{"optim.lr", "@task.length"}));
  EXPECT_EQ(words_of_all(axis_candidates("", table(""))),
            (Words{"step", "model.code", "optim.lr", "@task.length"}));
}

TEST_F(ResultCandidates, SweepsOfTheCurrentFolderAreItsFiles) {
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(scratch.path());
  std::ofstream("rates.toml") << "";
  const std::vector<Candidate> sweeps = sweep_candidates("", table(""));
  std::filesystem::current_path(here);
  EXPECT_TRUE(has(sweeps, "quickstart"));
  EXPECT_TRUE(has(sweeps, "gates"));
  EXPECT_TRUE(has(sweeps, "rates.toml"));
  EXPECT_FALSE(has(sweeps, "rates"));
}

TEST_F(ResultCandidates, ValuesAreMetricsParametersAndReductions) {
  EXPECT_EQ(words_of_all(value_candidates("", table("gates"))),
            (Words{"test.ppl", "train.loss", "valid.ppl", "model.code"}));
  EXPECT_EQ(words_of_all(value_candidates("test.ppl@", table("gates"))),
            (Words{"test.ppl@last", "test.ppl@best", "test.ppl@valid.ppl"}));
  EXPECT_EQ(words_of_all(selecting_candidates("", table(""))), Words{"valid.ppl"});
}

TEST_F(ResultCandidates, WhereTakesAKeyThenItsValues) {
  EXPECT_EQ(words_of_all(where_candidates("", table("gates"))), (Words{"model.code=", "tag="}));
  EXPECT_EQ(words_of_all(where_candidates("optim.lr=", table("rates"))),
            (Words{"optim.lr=0.2", "optim.lr=0.4"}));
  EXPECT_EQ(words_of_all(where_candidates("tag=", table("gates"))), Words{"tag=good"});
  EXPECT_EQ(words_of_all(where_candidates("tag=", table("rates"))), Words{});
  EXPECT_EQ(words_of_all(row_candidates("", table("gates"))), (Words{"1-1-1-0", "1-3-1-0"}));
}

TEST_F(ResultCandidates, SweepsAreThoseOfFilesAndOfRuns) {
  EXPECT_TRUE(has(sweep_candidates("", table("")), "quickstart"));
  EXPECT_TRUE(has(sweep_candidates("", table("")), "rates"));
}

TEST(ResultCandidatesOfNothing, AreAllThatOneCouldName) {
  const results::Scratch scratch;
  const Typed typed = {"table", "--workspace=" + scratch.path().string()};
  EXPECT_TRUE(has(parameter_candidates("", typed), "optim.lr"));
  EXPECT_TRUE(has(metric_candidates("", typed), "valid.ppl"));
  for (const Candidate& metric : metric_candidates("", typed))
    if (const results::Metric* row = results::find_metric(metric.word)) {
      EXPECT_EQ(metric.help, row->help) << metric.word;
    }
  EXPECT_TRUE(where_candidates("optim.lr=", typed).empty());
  std::ofstream(scratch.path() / "results.db") << "damaged";
  EXPECT_TRUE(has(parameter_candidates("", typed), "optim.lr"));
}

}  // namespace runner
