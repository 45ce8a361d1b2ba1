#include "tests/runner/train/trainer/small_run.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <regex>
#include <set>

#include "lcsm/base/words.h"
#include "results/events/event_file.h"
#include "results/events/event_reader.h"
#include "results/events/run_folder.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/config/run/run_id.h"
#include "runner/train/trainer/training.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/run_program.h"

namespace runner {

namespace fs = std::filesystem;

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

RunConfig config_of(std::vector<std::string> settings, const std::vector<std::string>& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return parse_config("", "", settings, [](const std::string&) {});
}

namespace {

// Checks against what a sweep's tables, figures and claims may name (result_names.h).
bool is_known_metric(const std::string& name) {
  std::vector<std::string> known = lcsm::words_of(kRunMetrics);
  for (const TaskRow& task : kTaskRows)
    for (const std::string& metric : lcsm::words_of(task.reports))
      known.insert(known.end(), {"valid." + metric, "test." + metric});
  return std::find(known.begin(), known.end(), name) != known.end();
}

// Removes the segment from a name such as "checkpoints/6.2/state.json".
std::string without_segment(const std::string& name) {
  return std::regex_replace(name, std::regex("^(checkpoints/[0-9]+)\\.[0-9]+/"), "$1/");
}

}  // namespace

results::RunState train(const RunConfig& config, const fs::path& workspace, std::int64_t claim) {
  const OutputInto nowhere("/dev/null", "/dev/null");
  at::set_num_threads(static_cast<int>(config.integer("run.threads"_key)));
  return train_run(config, workspace, claim);
}

std::string outcome_of(const fs::path& workspace, const RunConfig& config) {
  const fs::path folder = results::run_folder(workspace, run_id(config));
  std::string text;
  std::set<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.insert(entry.path());
  for (const fs::path& file : files) {
    const std::string name = file.lexically_relative(folder).string();
    if (name.starts_with("events") || name.starts_with("environment") ||
        name.starts_with("stderr") || name.starts_with("source-") ||
        name.starts_with("segments/") || name.starts_with("claims/") ||
        name.ends_with("written.json"))
      continue;
    text += without_segment(name) + " " +
            std::to_string(std::hash<std::string>()(read_file(file))) + "\n";
  }
  struct Row {
    std::int64_t sequence;
    std::string text;
  };
  std::vector<Row> rows;
  results::EventReader reader(results::event_file(folder));
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

void expect_exact_resume(const RunConfig& config, const std::filesystem::path& workspace, int n,
                         std::size_t least) {
  const ScratchFolder left;
  std::vector<std::filesystem::path> copies;
  int changes = 0;
  results::watch_changes(
      [&] {
        if (++changes % n != 0) return;
        copies.push_back(left.path() / std::to_string(changes));
        std::filesystem::copy(workspace, copies.back(), std::filesystem::copy_options::recursive);
      },
      [&] { EXPECT_EQ(train(config, workspace), results::RunState::kDone); });
  const std::string wanted = outcome_of(workspace, config);
  ASSERT_GE(copies.size(), least);
  for (const std::filesystem::path& copy : copies) {
    EXPECT_EQ(train(config, copy), results::RunState::kDone);
    EXPECT_EQ(outcome_of(copy, config), wanted) << copy;
  }
}

void expect_steps_of_the_cpu(Trainer& gpu, Trainer& cpu, int steps, double of_loss,
                             double of_norm) {
  for (int n = 1; n <= steps; ++n) {
    const StepFacts expected = cpu.step(n), got = gpu.step(n);
    EXPECT_NEAR(got.loss, expected.loss, of_loss * expected.loss) << n;
    EXPECT_NEAR(got.gradient_norm, expected.gradient_norm, of_norm * expected.gradient_norm) << n;
  }
}

void expect_same(const NamedTensors& got, const NamedTensors& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (const auto& [name, tensor] : expected) EXPECT_TRUE(got.at(name).equal(tensor)) << name;
}

}  // namespace runner
