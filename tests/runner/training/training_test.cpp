// Runs that are killed, interrupted, damaged or without disk space end with the same results.
#include "runner/training/training.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <ostream>
#include <set>

#include "results/events/event_reader.h"
#include "results/events/event_writer.h"
#include "results/events/run_folder.h"
#include "runner/config/config_keys.h"
#include "runner/config/run_id.h"
#include "runner/process/run_end.h"
#include "runner/training/checkpoint.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

using results::RunState;

namespace fs = std::filesystem;

// Ends in the middle of an epoch; losses are logged apart from evaluations, and not at each
// checkpoint.
std::vector<std::string> small_run() {
  return {"task.name=mqar",
          "model.code=1-3-1-2",
          "task.vocab=16",
          "task.length=8",
          "task.pairs=2",
          "task.train=20",
          "task.valid=6",
          "task.test=6",
          "model.d=4",
          "model.k=2",
          "model.layers=1",
          "model.dropout=0.1",
          "optim.batch=8",
          "optim.accumulate=2",
          "optim.epochs=0",
          "optim.steps=7",
          "optim.schedule=cosine",
          "eval.epochs=0",
          "eval.steps=3",
          "eval.stop=0",
          "eval.best=loss",
          "run.log_steps=4",
          "run.checkpoint_steps=2",
          "run.checkpoint_minutes=0",
          "run.threads=1"};
}

RunConfig config_of(std::vector<std::string> settings, const std::vector<std::string>& more = {}) {
  settings.insert(settings.end(), more.begin(), more.end());
  return parse_config("", "", settings, [](const std::string&) {});
}

// Checks against what a sweep's tables, figures and claims may name (result_names.h).
bool is_known_metric(const std::string& name) {
  std::vector<std::string> known = words_of(kRunMetrics);
  for (const TaskRow& task : kTaskRows)
    for (const std::string& metric : words_of(task.reports))
      known.insert(known.end(), {"valid." + metric, "test." + metric});
  return std::find(known.begin(), known.end(), name) != known.end();
}

// The outcome of a run: tensors and states of its checkpoints, its last metrics, its end. Without
// what depends on time and host: time.*, host.*, written.json.
std::string outcome_of(const fs::path& folder) {
  std::string text;
  std::set<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.insert(entry.path());
  for (const fs::path& file : files) {
    const std::string name = file.lexically_relative(folder).string();
    if (name.starts_with("events") || name.starts_with("environment") ||
        name.starts_with("stderr") || name.ends_with("written.json"))
      continue;
    text += name + " " + std::to_string(std::hash<std::string>()(read_file(file))) + "\n";
  }
  struct Row {
    std::int64_t sequence;
    std::string text;
  };
  std::vector<Row> rows;
  results::EventReader reader(folder / results::kEventFile);
  std::string end;
  while (const auto event = reader.next()) {
    if (const auto* attempt = std::get_if<results::AttemptLine>(&event->line))
      std::erase_if(rows, [&](const Row& row) { return row.sequence > attempt->from_seq; });
    if (const auto* last = std::get_if<results::EndLine>(&event->line))
      end = "end " + std::string(stored_name(last->state)) + " " + std::to_string(last->step) +
            " " + last->message + "\n";
    const auto* metrics = std::get_if<results::MetricsLine>(&event->line);
    if (metrics == nullptr) continue;
    for (const auto& [name, value] : metrics->values) EXPECT_TRUE(is_known_metric(name)) << name;
    for (const auto& [name, value] : metrics->values)
      if (!name.starts_with("time.") && !name.starts_with("host."))
        rows.push_back({event->sequence, std::to_string(metrics->step) + " " + name + " " +
                                             std::to_string(std::bit_cast<std::uint64_t>(value))});
  }
  for (const Row& row : rows) text += row.text + "\n";
  return text + end;
}

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

class TrainingTest : public testing::Test {
 protected:
  void SetUp() override {
    // Thousands of fsyncs, each of which would wait for a disk; what is tested is their order.
    if (access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 1);
  }

  static RunState train(const RunConfig& config, const fs::path& workspace) {
    const OutputInto nowhere("/dev/null", "/dev/null");
    at::set_num_threads(static_cast<int>(config.integer("run.threads")));
    return train_run(config, workspace);
  }

  static std::string trained_outcome(const RunConfig& config, const fs::path& workspace) {
    EXPECT_EQ(train(config, workspace), RunState::kDone);
    return outcome_of(results::run_folder(workspace, run_id(config)));
  }

  static std::string undisturbed_outcome(const RunConfig& config) {
    const ScratchFolder scratch;
    return trained_outcome(config, scratch.path());
  }

  // What kills at each change leave, torn writes included: copies below `folder`, equal ones once.
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

  // Resumes runs that a signal asks to stop at the changes 1, 1 + stride ... Returns how many
  // changes there are.
  static int interrupt_everywhere(const RunConfig& config, int stride) {
    const std::string wanted = undisturbed_outcome(config);
    for (int n = 1;; n += stride) {
      const ScratchFolder scratch;
      const std::optional<int> status = results::signalled_at(
          n, SIGTERM, [&] { return exit_status_of(train(config, scratch.path())); });
      const RunState end = state_of_exit(status.value_or(0));
      EXPECT_TRUE(end == RunState::kInterrupted || end == RunState::kDone) << *status;
      EXPECT_EQ(trained_outcome(config, scratch.path()), wanted) << "signalled at change " << n;
      if (!status || testing::Test::HasFailure()) return n - 1;
    }
  }

  // The same with a change that fails; the run must report that there was no room.
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

// Four terabytes: no host grants them, unless it grants everything.
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

TEST_F(TrainingTest, KilledAtEveryWriteItEndsTheSame) {
  const RunConfig config = config_of(small_run());
  const std::string wanted = undisturbed_outcome(config);
  const ScratchFolder scratch;
  const std::vector<fs::path> left = killed_everywhere(config, scratch.path());
  EXPECT_GT(left.size(), 100u);
  for (const fs::path& workspace : left)
    ASSERT_EQ(trained_outcome(config, workspace), wanted) << "resumed in " << workspace;
}

// By a real SIGKILL, which takes the process with its locks.
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

// One attempt could not read them and was killed before it had its own: it discarded their history.
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
