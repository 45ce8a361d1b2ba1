// A run that reuses a shorter run's steps ends as if it had trained them itself.
#include "runner/train/trainer/shorter_run.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>
#include <set>

#include "results/events/event_reader.h"
#include "results/events/event_writer.h"
#include "results/events/run_folder.h"
#include "runner/config/run/run_id.h"
#include "runner/train/trainer/checkpoint.h"
#include "runner/workspace/claim.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/run_program.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;
using Settings = std::vector<std::string>;

const Settings kSteady = {"optim.schedule=inverse-sqrt", "optim.warmup=2", "optim.lr=0.1"};

RunConfig with(const Settings& more) {
  Settings all = kSteady;
  all.insert(all.end(), more.begin(), more.end());
  return config_of(small_run(), all);
}

std::string outcome_alone(const RunConfig& config) {
  const ScratchFolder scratch;
  EXPECT_EQ(train(config, scratch.path()), RunState::kDone);
  return outcome_of(scratch.path(), config);
}

// The steps that the attempts of a run began after.
std::vector<std::int64_t> starts_of(const fs::path& workspace, const RunConfig& config) {
  std::vector<std::int64_t> starts;
  results::EventReader reader(results::run_folder(workspace, run_id(config)) / results::kEventFile);
  while (const auto event = reader.next())
    if (const auto* attempt = std::get_if<results::AttemptLine>(&event->line))
      starts.push_back(attempt->from_step);
  return starts;
}

class ShorterRuns : public testing::Test {
 protected:
  // Trains both in one workspace and compares the longer one. Returns its attempts' starts.
  static std::vector<std::int64_t> continued(const RunConfig& shorter, const RunConfig& longer) {
    const ScratchFolder scratch;
    EXPECT_EQ(train(shorter, scratch.path()), RunState::kDone);
    EXPECT_EQ(train(longer, scratch.path()), RunState::kDone);
    EXPECT_EQ(outcome_of(scratch.path(), longer), outcome_alone(longer));
    return starts_of(scratch.path(), longer);
  }
  using Starts = std::vector<std::int64_t>;
};

}  // namespace

TEST_F(ShorterRuns, AreContinuedWhereTheirStepsAreTheSame) {
  EXPECT_EQ(continued(with({"optim.steps=6"}), with({"optim.steps=13"})), (Starts{0, 6}));
  EXPECT_EQ(continued(with({"optim.steps=6", "optim.schedule=constant"}),
                      with({"optim.steps=13", "optim.schedule=constant"})),
            (Starts{0, 6}));
  EXPECT_EQ(continued(with({"optim.steps=0", "optim.epochs=2"}), with({"optim.steps=13"})),
            (Starts{0, 6}))
      << "two epochs of three steps";
  const ScratchFolder scratch;
  for (const char* steps : {"optim.steps=9", "optim.steps=6", "optim.steps=13"})
    EXPECT_EQ(train(with({steps}), scratch.path()), RunState::kDone);
  EXPECT_EQ(starts_of(scratch.path(), with({"optim.steps=13"})), (Starts{0, 9})) << "the longest";
}

// Step 7 is evaluated only if it is the last.
TEST_F(ShorterRuns, AreContinuedFromTheirLastStepThatIsTheSame) {
  for (const char* seed : {"seed=1", "seed=2", "seed=3"}) {
    const Starts starts = continued(with({"optim.steps=7", seed}), with({"optim.steps=13", seed}));
    EXPECT_TRUE(starts == (Starts{0}) || starts == (Starts{0, 3}) || starts == (Starts{0, 6}));
  }
}

TEST_F(ShorterRuns, KeepTheBestOfAnEarlierStep) {
  std::set<bool> earlier;
  for (int seed = 1; seed <= 6; ++seed) {
    const Settings more = {"seed=" + std::to_string(seed), "eval.best=accuracy"};
    Settings shorter = more, longer = more;
    shorter.push_back("optim.steps=9");
    longer.push_back("optim.steps=13");
    const ScratchFolder scratch;
    const RunConfig config = with(shorter);
    ASSERT_EQ(train(config, scratch.path()), RunState::kDone);
    const Checkpoints left(results::run_folder(scratch.path(), run_id(config)));
    earlier.insert(left.steps().size() > 1);
    ASSERT_EQ(train(with(longer), scratch.path()), RunState::kDone);
    EXPECT_EQ(starts_of(scratch.path(), with(longer)), (Starts{0, 9}));
    EXPECT_EQ(outcome_of(scratch.path(), with(longer)), outcome_alone(with(longer)));
  }
  EXPECT_TRUE(earlier.contains(true)) << "no seed tried it";
}

TEST_F(ShorterRuns, OfOtherRatesLinesOrConfigurationsAreNotUsed) {
  const RunConfig longer = with({"optim.steps=13"});
  EXPECT_EQ(continued(with({"optim.steps=6", "run.log_steps=5"}), longer), Starts{0});
  EXPECT_EQ(continued(with({"optim.steps=6", "seed=2"}), longer), Starts{0});
  EXPECT_EQ(continued(with({"optim.steps=6", "eval.steps=2"}), longer), Starts{0});
  EXPECT_EQ(continued(with({"optim.steps=6", "optim.schedule=cosine"}),
                      with({"optim.steps=13", "optim.schedule=cosine"})),
            Starts{0});
  EXPECT_EQ(continued(longer, with({"optim.steps=6"})), Starts{0}) << "a longer one";
  EXPECT_EQ(continued(with({"optim.steps=13", "optim.minutes=1e-9"}), longer), Starts{0})
      << "one whose time was over";
}

TEST_F(ShorterRuns, ThatAreNotDoneOrDamagedAreNotUsed) {
  const RunConfig shorter = with({"optim.steps=6"}), longer = with({"optim.steps=13"});
  const std::string wanted = outcome_alone(longer);
  for (const char* file : {"config.toml", "events.jsonl", "checkpoints/6/model.safetensors"}) {
    const ScratchFolder scratch;
    train(shorter, scratch.path());
    const fs::path folder = results::run_folder(scratch.path(), run_id(shorter));
    ASSERT_TRUE(fs::exists(folder / file)) << file;
    fs::resize_file(folder / file, fs::file_size(folder / file) / 2);
    train(longer, scratch.path());
    EXPECT_EQ(starts_of(scratch.path(), longer), Starts{0}) << file;
    EXPECT_EQ(outcome_of(scratch.path(), longer), wanted) << file;
  }
  const ScratchFolder scratch;
  train(shorter, scratch.path());
  fs::remove_all(results::run_folder(scratch.path(), run_id(shorter)));
  EXPECT_EQ(train(longer, scratch.path()), RunState::kDone);
}

TEST_F(ShorterRuns, ThatWereResumedGiveTheLinesThatCount) {
  const RunConfig shorter = with({"optim.steps=9"}), longer = with({"optim.steps=13"});
  const std::string wanted = outcome_alone(longer);
  for (int killed_at = 60; killed_at < 100; killed_at += 13) {
    const ScratchFolder scratch;
    ASSERT_TRUE(results::killed_at(killed_at, [&] { train(shorter, scratch.path()); }));
    ASSERT_EQ(train(shorter, scratch.path()), RunState::kDone);
    EXPECT_EQ(starts_of(scratch.path(), shorter).size(), 2u) << "it was not interrupted";
    ASSERT_EQ(train(longer, scratch.path()), RunState::kDone);
    EXPECT_EQ(outcome_of(scratch.path(), longer), wanted) << killed_at;
  }
}

// A checkpoint of lines that were discarded, and one of another process.
TEST_F(ShorterRuns, OfAnotherHistoryAreNotUsed) {
  const RunConfig shorter = with({"optim.steps=9"}), longer = with({"optim.steps=13"});
  const ScratchFolder scratch, taken;
  ASSERT_TRUE(results::killed_at(73, [&] { train(shorter, scratch.path()); }));
  ASSERT_EQ(train(shorter, scratch.path()), RunState::kDone);
  const fs::path folder = results::run_folder(scratch.path(), run_id(shorter));
  std::int64_t discarded = 0;
  results::EventReader reader(folder / results::kEventFile);
  while (const auto event = reader.next())
    if (const auto* attempt = std::get_if<results::AttemptLine>(&event->line))
      if (attempt->from_seq < event->sequence - 1) discarded = attempt->from_seq + 1;
  ASSERT_GT(discarded, 0);
  Checkpoints checkpoints(folder);
  Checkpoint last = checkpoints.read(9);
  last.lines = discarded;
  checkpoints.write(last);
  ASSERT_EQ(train(longer, scratch.path()), RunState::kDone);
  EXPECT_EQ(starts_of(scratch.path(), longer), Starts{0});

  const fs::path claimed = results::run_folder(taken.path(), run_id(shorter));
  fs::create_directories(claimed);
  const auto claim = make_claim(claimed, {.owner = this_owner()}, /*own_segment=*/true, 0);
  ASSERT_EQ(train(shorter, taken.path(), claim.value().number), RunState::kDone);
  fs::rename(claimed / "checkpoints/9.1", claimed / "checkpoints/9");
  ASSERT_EQ(train(longer, taken.path()), RunState::kDone);
  EXPECT_EQ(starts_of(taken.path(), longer), Starts{0});
}

// Kills at each change while the longer run begins.
TEST_F(ShorterRuns, AreContinuedByARunThatIsKilled) {
  const RunConfig shorter = with({"optim.steps=6"}), longer = with({"optim.steps=9"});
  const std::string wanted = outcome_alone(longer);
  const ScratchFolder trained;
  ASSERT_EQ(train(shorter, trained.path()), RunState::kDone);
  for (int n = 1;; n += results::kStride) {
    const ScratchFolder scratch;
    fs::copy(trained.path(), scratch.path(), fs::copy_options::recursive);
    const bool killed = results::killed_at(n, [&] { train(longer, scratch.path()); });
    ASSERT_EQ(train(longer, scratch.path()), RunState::kDone) << n;
    ASSERT_EQ(outcome_of(scratch.path(), longer), wanted) << "killed at change " << n;
    if (!killed) break;
  }
}

}  // namespace runner
