#include "tests/results/fixture.h"

#include <stdlib.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>

namespace results {
namespace {

namespace fs = std::filesystem;

// The open writers of runs with the status "running", by folder.
std::map<fs::path, std::unique_ptr<EventWriter>>& held_writers() {
  static std::map<fs::path, std::unique_ptr<EventWriter>> writers;
  return writers;
}

}  // namespace

// Uses a folder in memory if possible, since thousands of files are synced.
Scratch::Scratch() {
  const bool memory = access("/dev/shm", W_OK | X_OK) == 0;
  std::string name =
      (memory ? fs::path("/dev/shm") : fs::temp_directory_path()) / "lcsm-results-XXXXXX";
  path_ = mkdtemp(name.data());
}

Scratch::~Scratch() {
  std::erase_if(held_writers(),
                [&](const auto& held) { return held.first.string().starts_with(path_.string()); });
  fs::remove_all(path_);
}

EventWriter::Clock counting_clock() {
  return [now = 999.0]() mutable { return now += 1; };
}

std::string run_id(int number) {
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(number));
  return digits + std::string(24, '0');
}

RunLine run_line(const FixtureRun& run) {
  RunLine line{run_id(run.number), run.identity, run.more};
  line.parameters.insert({{"model.code", run.code},
                          {"model.family", "eos"},
                          {"task.name", run.task},
                          {"optim.lr", run.lr},
                          {"optim.steps", std::int64_t{100} * std::ssize(run.valid)},
                          {"seed", run.seed}});
  return line;
}

fs::path write_run(const fs::path& workspace, const FixtureRun& run) {
  const fs::path folder = run_folder(workspace, run_id(run.number));
  fs::create_directories(folder);
  if (!run.sweep.empty()) write_mark(folder, {run.sweep, "A title", "lcsm/table4-o-types"});
  auto held = std::make_unique<EventWriter>(folder, run_line(run), counting_clock());
  EventWriter& writer = *held;
  Values environment = {{"commit", run.commit}, {"host", run.host}};
  if (!run.text.empty()) environment[std::string(kTextFact)] = run.text;
  if (!run.diff.empty()) environment[std::string(kDiffFact)] = keep_diff(folder, run.diff);
  writer.append(AttemptLine{0, 0, environment});
  if (run.params > 0) writer.append(MetricsLine{0, {{"params", run.params}, {"state", run.state}}});
  std::int64_t step = 0;
  for (const double value : run.valid) {
    step += 100;
    writer.append(
        MetricsLine{step, {{"train.loss", std::log(value)}, {"valid." + run.metric, value}}});
  }
  if (!std::isnan(run.test))
    writer.append(
        MetricsLine{run.tested_at > 0 ? run.tested_at : step, {{"test." + run.metric, run.test}}});
  if (run.speed > 0) writer.append(MetricsLine{step, {{"time.tokens_per_second", run.speed}}});
  if (run.status == stored_name(RunState::kRunning))
    held_writers()[folder] = std::move(held);
  else if (!run.status.empty())
    writer.append(EndLine{stored_state(run.status).value(), step, run.message});
  return folder;
}

void golden_runs(const fs::path& workspace) {
  write_run(workspace, {.number = 1, .sweep = "golden", .message = "fine"});
  write_run(workspace, {.number = 2, .sweep = "golden", .status = "diverged", .message = "NaN"});
  {
    EventWriter writer(write_run(workspace, {.number = 3, .status = ""}), counting_clock());
    writer.append(ArtefactLine{"checkpoint", "checkpoints/200", 200, 4096, ""});
    writer.append(MessageLine{"warning", "killed soon"});
    writer.append(AttemptLine{200, 6, {{"host", "there"}}});
    writer.append(MetricsLine{300, {{"valid.ppl", std::nan("")}}});
  }
  write_run(workspace, {.number = 4});
  write_text(run_folder(workspace, run_id(4)) / kEventFile, "no events\nat all\n");
}

namespace {

// Three seeds of a code at one learning rate, `change` applied to each, numbered from `first` + 1.
void three_seeds(const fs::path& workspace, int first, const std::string& code, double valid,
                 const std::function<bool(FixtureRun*)>& change = nullptr) {
  for (int seed = 1; seed <= 3; ++seed) {
    const double last = valid + (seed == 2 ? 0.25 : seed == 3 ? 0.125 : 0.0);
    FixtureRun run{.number = first + seed,
                   .code = code,
                   .task = "wikitext-103",
                   .sweep = "marks",
                   .lr = 3e-3,
                   .seed = seed,
                   .valid = {30, last - 1, last},
                   .test = last + 0.5};
    if (change == nullptr || change(&run)) write_run(workspace, run);
  }
}

}  // namespace

void marked_runs(const fs::path& workspace) {
  const auto on_seed = [](std::int64_t seed, const std::function<void(FixtureRun*)>& change) {
    return [=](FixtureRun* run) {
      if (run->seed == seed) change(run);
      return true;
    };
  };
  const auto ended = [&](const char* status) {
    return on_seed(2, [=](FixtureRun* run) { run->status = status; });
  };
  const auto rate = [](double lr) {
    return [=](FixtureRun* run) {
      run->lr = lr;
      return true;
    };
  };
  three_seeds(workspace, 100, "1-0-1-0", 26, [](FixtureRun* run) {
    run->valid.back() += static_cast<double>(2 - run->seed) / 64;
    return true;
  });
  three_seeds(workspace, 110, "1-1-1-0", 24);
  three_seeds(workspace, 120, "1-1-1-0", 25, rate(1e-3));
  three_seeds(workspace, 130, "1-1-1-0", 25.5, rate(1e-2));
  three_seeds(workspace, 140, "1-2-1-0", 29);
  three_seeds(workspace, 150, "1-2-1-0", 28.75, rate(1e-2));
  three_seeds(workspace, 160, "1-3-1-0", 28, [](FixtureRun* run) { return run->seed != 3; });
  three_seeds(workspace, 170, "1-4-1-0", 27, ended("failed"));
  three_seeds(workspace, 180, "1-5-1-0", 29, ended("out-of-memory"));
  three_seeds(workspace, 190, "1-6-1-0", 25, ended("diverged"));
  three_seeds(workspace, 200, "1-7-1-0", 24.8, ended("running"));
  three_seeds(workspace, 210, "1-8-1-0", 24.7, ended("interrupted"));
  three_seeds(workspace, 250, "1-8-1-0", 26, [](FixtureRun* run) {
    run->lr = 1e-2;
    if (run->seed == 2) run->status = "running";
    return true;
  });
  three_seeds(workspace, 220, "1-9-1-0", 24.2, on_seed(3, [](FixtureRun* run) {
                run->commit = "beef";
                run->valid.back() -= 0.5;
              }));
  three_seeds(workspace, 230, "1-10-1-0", 30,
              on_seed(3, [](FixtureRun* run) { run->valid.push_back(30); }));
  three_seeds(workspace, 240, "1-11-1-0", 29, [](FixtureRun* run) {
    run->more = {{"model.d", std::int64_t{run->seed == 1 ? 64 : 32}}};
    if (run->seed != 1) return true;
    run->more["optim.steps"] = std::int64_t{900};
    run->test = std::nan("");
    return true;
  });
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace results
