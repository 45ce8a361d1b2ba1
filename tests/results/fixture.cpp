#include "tests/results/fixture.h"

#include <stdlib.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace results {
namespace {

namespace fs = std::filesystem;

Ending ending_of(const std::string& status) {
  for (const EndingRow& row : kEndings)
    if (row.name == status) return row.ending;
  throw std::invalid_argument("no such status: " + status);
}

}  // namespace

// In memory where that is possible: thousands of files are synced.
Scratch::Scratch() {
  const bool memory = access("/dev/shm", W_OK | X_OK) == 0;
  std::string name =
      (memory ? fs::path("/dev/shm") : fs::temp_directory_path()) / "lcsm-results-XXXXXX";
  path_ = mkdtemp(name.data());
}

Scratch::~Scratch() { fs::remove_all(path_); }

EventWriter::Clock counting_clock() {
  return [now = 999.0]() mutable { return now += 1; };
}

std::string run_id(int number) {
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(number));
  return digits + std::string(24, '0');
}

RunLine run_line(const FixtureRun& run) {
  RunLine line{run_id(run.number), "", run.more};
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
  EventWriter writer(folder, run_line(run), counting_clock());
  writer.append(AttemptLine{0, 0, {{"commit", run.commit}, {"host", "here"}}});
  std::int64_t step = 0;
  for (const double value : run.valid) {
    step += 100;
    writer.append(MetricsLine{step, {{"train.loss", std::log(value)}, {"valid.ppl", value}}});
  }
  if (!std::isnan(run.test)) writer.append(MetricsLine{step, {{"test.ppl", run.test}}});
  if (!run.status.empty()) writer.append(EndLine{ending_of(run.status), step, run.message});
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

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace results
