// Runs that are killed, interrupted, damaged or out of disk space end with equal results.
#include "runner/train/trainer/training.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <ostream>
#include <set>
#include <sstream>

#include "results/events/checkpoints.h"
#include "results/events/event_reader.h"
#include "results/events/event_writer.h"
#include "results/events/run_folder.h"
#include "runner/base/process/run_end.h"
#include "runner/config/run/run_id.h"
#include "runner/train/trainer/checkpoint.h"
#include "runner/train/trainer/run_record.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/run_program.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

using results::RunState;

namespace fs = std::filesystem;

// Every file below `folder` with its bytes.
std::string tree_of(const fs::path& folder) {
  std::map<fs::path, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    files[entry.path().lexically_relative(folder)] =
        entry.is_regular_file() ? read_file(entry.path()) : "";
  std::string text;
  for (const auto& [path, bytes] : files)
    text += path.string() + " " + std::to_string(bytes.size()) + "\n" + bytes;
  return text;
}

fs::path folder_in(const fs::path& workspace, const RunConfig& config) {
  return results::run_folder(workspace, run_id(config));
}

// The events of a run, without metrics that depend on time and host.
struct Told {
  std::map<std::pair<std::int64_t, std::string>, double> metrics;
  std::map<std::int64_t, std::string> checkpoints;  // "best" or "checkpoint"
  results::EndLine end;
};

Told told_by(const fs::path& workspace, const RunConfig& config) {
  Told told;
  results::EventReader reader(folder_in(workspace, config) / results::kEventFile);
  while (const auto event = reader.next()) {
    if (const auto* end = std::get_if<results::EndLine>(&event->line)) told.end = *end;
    if (const auto* file = std::get_if<results::ArtefactLine>(&event->line))
      told.checkpoints[file->step] = file->kind;
    if (const auto* line = std::get_if<results::MetricsLine>(&event->line))
      for (const auto& [name, value] : line->values)
        if (name.starts_with("train.") || name.starts_with("valid.") || name.starts_with("test."))
          told.metrics[{line->step, name}] = value;
  }
  return told;
}

class TrainingTest : public testing::Test {
 protected:
  static std::string trained_outcome(const RunConfig& config, const fs::path& workspace) {
    EXPECT_EQ(train(config, workspace), RunState::kDone);
    return outcome_of(workspace, config);
  }

  static std::string undisturbed_outcome(const RunConfig& config) {
    const ScratchFolder scratch;
    return trained_outcome(config, scratch.path());
  }

  // Copies below `folder` of the distinct folders that a kill at each change leaves, torn writes
  // included.
  static std::vector<fs::path> killed_everywhere(const RunConfig& config, const fs::path& folder) {
    std::set<std::string> seen;
    std::vector<fs::path> left;
    const ScratchFolder scratch;
    results::watch_changes(
        [&] {
          if (!seen.insert(tree_of(scratch.path())).second) return;
          left.push_back(folder / std::to_string(left.size()));
          fs::copy(scratch.path(), left.back(), fs::copy_options::recursive);
        },
        [&] { train(config, scratch.path()); });
    return left;
  }

  // Resumes runs that a signal asks to stop at the changes 1, 1 + stride ... Returns the number of
  // changes.
  static int interrupt_everywhere(const RunConfig& config, int stride) {
    const std::string wanted = undisturbed_outcome(config);
    for (int n = 1;; n += stride) {
      const ScratchFolder scratch;
      const std::optional<int> status = results::signalled_at(
          n, SIGTERM, [&] { return exit_status_of(train(config, scratch.path())); });
      const RunState end = state_of_exit(status.value_or(0));
      EXPECT_TRUE(end == RunState::kInterrupted || end == RunState::kDone) << *status;
      if (status && end == RunState::kInterrupted) expect_checkpoint_of_last_step(config, scratch);
      EXPECT_EQ(trained_outcome(config, scratch.path()), wanted) << "signalled at change " << n;
      if (!status || testing::Test::HasFailure()) return n - 1;
    }
  }

  static void expect_checkpoint_of_last_step(const RunConfig& config,
                                             const ScratchFolder& scratch) {
    std::int64_t newest = 0;
    for (const auto& place : results::checkpoints_of(folder_in(scratch.path(), config)))
      newest = std::max(newest, place.step);
    EXPECT_EQ(newest, told_by(scratch.path(), config).end.step);
  }

  // Lets each change fail; the run must report a full disk.
  static int fail_everywhere(const RunConfig& config, int error, bool lasts) {
    const std::string wanted = undisturbed_outcome(config);
    for (int n = 1;; ++n) {
      const ScratchFolder scratch;
      const std::optional<int> status = results::failing_at(n, error, lasts, [&] {
        try {
          return exit_status_of(train(config, scratch.path()));
        } catch (const std::exception&) {
          return exit_status_of(RunState::kNoRoom);  // before the run had begun
        }
      });
      if (status && *status != 0) {
        EXPECT_EQ(*status, exit_status_of(RunState::kNoRoom)) << "failed at change " << n;
      }
      EXPECT_EQ(trained_outcome(config, scratch.path()), wanted) << "failed at change " << n;
      if (!status || testing::Test::HasFailure()) return n - 1;
    }
  }
};

// Four terabytes: no host grants them, unless it overcommits without limit.
TEST_F(TrainingTest, AModelTooLargeForTheHostEndsItsAttempt) {
  if (read_file("/proc/sys/vm/overcommit_memory").starts_with("1"))
    GTEST_SKIP() << "this host grants any amount of memory";
  const ScratchFolder workspace;
  const RunConfig config = config_of(small_run(), {"model.d=1048576"});
  EXPECT_EQ(train(config, workspace.path()), RunState::kOutOfMemory);
  results::EventReader reader(results::run_folder(workspace.path(), run_id(config)) /
                              results::kEventFile);
  std::optional<results::EndLine> end;
  std::int64_t attempts = 0;
  while (const auto event = reader.next()) {
    attempts = event->attempt;
    if (const auto* line = std::get_if<results::EndLine>(&event->line)) end = *line;
  }
  EXPECT_EQ(attempts, 1);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->state, RunState::kOutOfMemory);
  EXPECT_NE(end->message.find("memory"), std::string::npos) << end->message;
}

TEST_F(TrainingTest, TellsItsSizesItsPaceAndItsMemory) {
  const ScratchFolder scratch;
  const RunConfig config = config_of(small_run());
  train(config, scratch.path());
  std::map<std::string, std::vector<double>> told;
  results::EventReader reader(results::run_folder(scratch.path(), run_id(config)) /
                              results::kEventFile);
  while (const auto event = reader.next())
    if (const auto* metrics = std::get_if<results::MetricsLine>(&event->line))
      for (const auto& [name, value] : metrics->values) told[name].push_back(value);
  EXPECT_EQ(told["time.tokens_per_second"].size(), told["train.loss"].size());
  for (const double pace : told["time.tokens_per_second"]) EXPECT_GT(pace, 0);
  EXPECT_EQ(told["host.training_mib"].size(), told["valid.loss"].size() + 1);
  EXPECT_LT(told["host.training_mib"].back(), told["host.peak_mib"].back());
  EXPECT_EQ(told["params"].size(), 1u);
  EXPECT_EQ(told["state"], std::vector<double>{4 * 2}) << "d k, once";
}

// Steps a trainer of its own: losses since the last line, the first of equally good steps, its
// test.
TEST_F(TrainingTest, TellsWhatItsTrainerFinds) {
  const ScratchFolder scratch;
  const RunConfig config = config_of(small_run(), {"eval.best=accuracy", "eval.steps=1", "seed=2"});
  train(config, scratch.path());
  const auto data = open_task(config, {});
  Trainer trainer(config, *data);
  Told wanted{.metrics = {}, .checkpoints = {}, .end = {RunState::kDone, 7, ""}};
  NamedTensors weights;
  std::int64_t best = 0, ties = 0;
  double most = -1;
  for (std::int64_t n = 1; n <= 7; ++n) {
    const StepFacts facts = trainer.step(n);
    wanted.metrics[{n, "train.loss"}] = facts.loss;
    wanted.metrics[{n, "train.lr"}] = trainer.course().rate(n);
    wanted.metrics[{n, "train.gradient_norm"}] = facts.gradient_norm;
    if (n % 2 == 0 || n == 7) wanted.checkpoints[n] = "checkpoint";
    for (const auto& [name, value] : trainer.metrics(Split::kValid)) {
      wanted.metrics[{n, name}] = value;
      if (name != "valid.accuracy") continue;
      ties += value == most;
      if (value <= most) continue;
      most = value, best = n, wanted.checkpoints[n] = "best";
      for (const auto& [tensor, values] : trainer.weights()) weights[tensor] = values.clone();
    }
  }
  EXPECT_GT(ties, 0);
  EXPECT_LT(best, 7);
  trainer.load_weights(weights);
  for (const auto& [name, value] : trainer.metrics(Split::kTest))
    wanted.metrics[{best, name}] = value;
  const Told told = told_by(scratch.path(), config);
  EXPECT_EQ(told.metrics, wanted.metrics);
  EXPECT_EQ(told.checkpoints, wanted.checkpoints);
  EXPECT_EQ(told.end, wanted.end);

  const RunConfig equal = config_of(small_run(), {"eval.best=accuracy", "eval.steps=1", "seed=2",
                                                  "eval.stop=" + std::to_string(most)});
  train(equal, scratch.path());
  EXPECT_EQ(told_by(scratch.path(), equal).end, wanted.end) << "no step is better than its best";
}

TEST_F(TrainingTest, TellsTheMeanLossSinceTheLastLine) {
  const ScratchFolder scratch;
  const RunConfig config = config_of(small_run());
  train(config, scratch.path());
  const auto data = open_task(config, {});
  Trainer trainer(config, *data);
  const Told told = told_by(scratch.path(), config);
  double sum = 0, steps = 0;
  for (std::int64_t n = 1; n <= 7; ++n) {
    sum += trainer.step(n).loss, ++steps;
    const auto line = told.metrics.find({n, "train.loss"});
    EXPECT_EQ(line != told.metrics.end(), n % 3 == 0 || n % 4 == 0 || n == 7) << n;
    if (line == told.metrics.end()) continue;
    EXPECT_EQ(line->second, sum / steps) << n;
    sum = steps = 0;
  }
}

TEST_F(TrainingTest, EndsWithAnEvaluationWhenItsTimeIsOver) {
  const ScratchFolder scratch;
  const RunConfig config = config_of(small_run(), {"optim.minutes=1e-9"});
  EXPECT_EQ(train(config, scratch.path()), RunState::kDone);
  const Told told = told_by(scratch.path(), config);
  EXPECT_EQ(told.end.step, 1);
  EXPECT_TRUE(told.metrics.contains({1, "valid.loss"}));
  EXPECT_TRUE(told.metrics.contains({1, "test.loss"}));
}

TEST_F(TrainingTest, ItsTimeIsThatOfAllAttempts) {
  const ScratchFolder scratch;
  const RunConfig config = config_of(small_run(), {"optim.minutes=60", "run.checkpoint_steps=1"});
  ASSERT_EQ(results::signalled_at(40, SIGTERM,
                                  [&] { return exit_status_of(train(config, scratch.path())); }),
            exit_status_of(RunState::kInterrupted));
  Checkpoints checkpoints(folder_in(scratch.path(), config));
  Checkpoint last = checkpoints.read(*checkpoints.steps().rbegin());
  ASSERT_LT(last.state.step, 6);
  last.seconds += 3540;
  checkpoints.write(last);
  const ScratchFolder in_time;
  fs::copy(scratch.path(), in_time.path(), fs::copy_options::recursive);
  EXPECT_EQ(train(config, in_time.path()), RunState::kDone);
  EXPECT_EQ(told_by(in_time.path(), config).end.step, 7);
  last.seconds += 60;
  checkpoints.write(last);
  EXPECT_EQ(train(config, scratch.path()), RunState::kDone);
  EXPECT_EQ(told_by(scratch.path(), config).end.step, last.state.step + 1);
}

TEST_F(TrainingTest, KilledAtEveryWriteItEndsTheSame) {
  const RunConfig config = config_of(small_run());
  const std::string wanted = undisturbed_outcome(config);
  const ScratchFolder scratch;
  const std::vector<fs::path> left = killed_everywhere(config, scratch.path());
  EXPECT_GT(left.size(), 100u);
  for (const fs::path& workspace : left)
    ASSERT_EQ(trained_outcome(config, workspace), wanted) << "resumed in " << workspace;
}

// Checkpoints have the states that layers carry from step to step, which restart with each epoch.
TEST_F(TrainingTest, InterruptedBetweenConsecutiveSegmentsItEndsTheSame) {
  const ScratchFolder data;
  std::ofstream text(data.path() / "input.txt");
  for (int i = 100; i < 200; ++i) text << "line " << i * i << "\n";
  text.close();
  const RunConfig config =
      config_of(small_run(), {"task.name=tiny-shakespeare", "task.order=consecutive",
                              "task.path=" + data.path().string(), "task.length=24",
                              "model.system=transformer-xl@heads=2,memory=40",
                              "model.skeleton=source", "model.layers=2", "eval.batch=4"});
  EXPECT_GT(interrupt_everywhere(config, 7), 60);
}

// Ids do not contain the texts of tiny-shakespeare.
TEST_F(TrainingTest, ResumesOnTheTextThatItBeganWith) {
  const ScratchFolder data, scratch;
  const auto write = [&](int first) {
    std::ofstream text(data.path() / "input.txt");
    for (int i = 0; i < 300; ++i) text << "line " << first + i << "\n";
  };
  const RunConfig config = config_of(small_run(), {"task.name=tiny-shakespeare", "task.length=24",
                                                   "task.path=" + data.path().string()});
  write(100);
  const std::string wanted = undisturbed_outcome(config);
  results::signalled_at(70, SIGTERM, [&] { return exit_status_of(train(config, scratch.path())); });
  write(500);
  EXPECT_EQ(train(config, scratch.path()), RunState::kDataMissing);
  write(100);
  EXPECT_EQ(trained_outcome(config, scratch.path()), wanted);
}

// Sends a real SIGKILL, which ends the process with its locks.
TEST_F(TrainingTest, KilledForGoodItEndsTheSame) {
  const RunConfig config = config_of(small_run());
  const std::string wanted = undisturbed_outcome(config);
  bool killed = true;
  for (int n = 1; killed; n += 23) {
    const ScratchFolder scratch;
    killed = results::killed_at(n, [&] { train(config, scratch.path()); });
    ASSERT_EQ(trained_outcome(config, scratch.path()), wanted) << "killed at change " << n;
  }
}

TEST_F(TrainingTest, WithAnyCheckpointDamagedItEndsTheSame) {
  const RunConfig config = config_of(small_run());
  const std::string wanted = undisturbed_outcome(config);
  const ScratchFolder scratch;
  const std::vector<fs::path> left = killed_everywhere(config, scratch.path());
  int damaged = 0;
  for (std::size_t n = 0; n < left.size(); n += 7) {
    const fs::path run = results::run_folder(left[n], run_id(config));
    if (results::is_done(run)) break;
    for (const results::CheckpointPlace& place : results::checkpoints_of(run)) {
      const ScratchFolder copy;
      fs::copy(left[n], copy.path(), fs::copy_options::recursive);
      const fs::path folder = results::run_folder(copy.path(), run_id(config)) /
                              results::kCheckpointsFolder / place.text();
      fs::resize_file(folder / "model.safetensors", 100);
      ASSERT_EQ(trained_outcome(config, copy.path()), wanted) << folder;
      ++damaged;
    }
  }
  EXPECT_GT(damaged, 20);
}

// An attempt that could not read the checkpoints, and was killed before it had its own, discarded
// their history.
TEST_F(TrainingTest, CheckpointsThatComeBackDoNotMixHistories) {
  const RunConfig config = config_of(small_run());
  const std::string wanted = undisturbed_outcome(config);
  const ScratchFolder scratch, elsewhere;
  const fs::path checkpoints = results::run_folder(scratch.path(), run_id(config)) / "checkpoints";
  ASSERT_TRUE(results::killed_at(100, [&] { train(config, scratch.path()); }));
  ASSERT_FALSE(fs::is_empty(checkpoints));
  fs::rename(checkpoints, elsewhere.path() / "aside");
  ASSERT_TRUE(results::killed_at(12, [&] { train(config, scratch.path()); }));
  fs::remove_all(checkpoints);
  fs::rename(elsewhere.path() / "aside", checkpoints);
  EXPECT_EQ(trained_outcome(config, scratch.path()), wanted);
}

// Copied while it was trained, a run may have checkpoints that are newer than its events. Other
// lines then take the numbers of the lost ones.
TEST_F(TrainingTest, WithLinesLostAndKilledAgainItEndsTheSame) {
  const RunConfig config = config_of(small_run());
  const std::string wanted = undisturbed_outcome(config);
  const ScratchFolder scratch;
  ASSERT_TRUE(results::killed_at(200, [&] { train(config, scratch.path()); }));
  std::istringstream events(read_file(folder_in(scratch.path(), config) / results::kEventFile));
  std::string kept, line;
  for (int lines = 0; std::getline(events, line); kept += line + "\n", ++lines)
    for (int n = 10; lines > 0 && n < 60; n += 14) {
      const ScratchFolder copy;
      fs::copy(scratch.path(), copy.path(), fs::copy_options::recursive);
      std::ofstream(folder_in(copy.path(), config) / results::kEventFile) << kept;
      results::killed_at(n, [&] { train(config, copy.path()); });
      ASSERT_EQ(trained_outcome(config, copy.path()), wanted) << lines << " lines, killed at " << n;
    }
}

TEST_F(TrainingTest, WithAFullDiskAtEveryWriteItResumesWhenThereIsSpace) {
  EXPECT_GT(fail_everywhere(config_of(small_run()), ENOSPC, true), 100);
}

TEST_F(TrainingTest, AFailedWriteEndsItAndTheNextAttemptRepairsIt) {
  EXPECT_GT(fail_everywhere(config_of(small_run()), EIO, false), 100);
}

struct Variation {
  const char* name;
  int stride;  // the signal comes at every stride-th change
  std::vector<std::string> settings;
};

void PrintTo(const Variation& variation, std::ostream* out) { *out << variation.name; }

class TrainingVariations : public TrainingTest, public testing::WithParamInterface<Variation> {};

TEST_P(TrainingVariations, InterruptedAtEveryWriteItEndsTheSame) {
  EXPECT_GT(interrupt_everywhere(config_of(small_run(), GetParam().settings), GetParam().stride),
            60);
}

INSTANTIATE_TEST_SUITE_P(
    , TrainingVariations,
    testing::Values(
        Variation{"Plain", 1, {}}, Variation{"TwoThreads", 23, {"run.threads=2"}},
        Variation{"Half", 4, {"optim.precision=bf16"}},
        Variation{
            "ClippedAdam", 4, {"optim.name=adam", "optim.clip=0.1", "optim.decay_on=matrices"}},
        Variation{"FixedOrder", 4, {"task.order=fixed", "optim.accumulate=1"}},
        Variation{"Attention",
                  4,
                  {"model.family=attention", "model.positions=learned", "model.state_mixer=mlp"}},
        Variation{"StopsEarly", 4, {"eval.stop=100"}},
        Variation{"SkipsEvaluations", 4, {"eval.steps=0", "run.checkpoint_steps=0"}}),
    [](const auto& variation) { return std::string(variation.param.name); });

}  // namespace
}  // namespace runner
