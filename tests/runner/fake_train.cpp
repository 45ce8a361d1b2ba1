// Replaces lcsm-train: `run FILE --workspace DIR --set ...`. The configuration's task.seed selects
// how it ends (`Way`); 2 .. 8 end with that exit status, all others as 1. FAKE_STEP_MS: how long a
// training step takes.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "lcsm/files/whole_file.h"
#include "results/events/event_writer.h"
#include "results/events/run_folder.h"
#include "runner/config/run_line.h"
#include "runner/files/toml_file.h"
#include "runner/process/run_end.h"

namespace {

namespace fs = std::filesystem;

enum Way : std::int64_t {
  kDone = 1,
  kBySignal = 9,
  kWhenAsked = 10,
  kSecondTry = 11,
  kPrints10Megabytes = 12,
  kPrints200Megabytes = 13,
  kLeavesAChild = 14,
  kClockGoesBack = 15,
  kHearsNothing = 16,  // ends only when it is killed
  kTalksUntilAsked = 17,
  kTalks = 18,
  kLearns = 20,  // and those up to 29
};

constexpr int kSteps = 6, kStepsOfACheckpoint = 2;

void ignore(const std::string&) {}

volatile std::sig_atomic_t asked = 0;
void ask(int) { asked = 1; }

// These end before they open their event file.
bool starts_nothing(std::int64_t way) {
  using enum results::RunState;
  const results::RunState state = runner::state_of_exit(static_cast<int>(way));
  return state == kConfiguration || state == kDataMissing || state == kBusy;
}

results::EventWriter::Clock clock_of(std::int64_t way) {
  if (way != kClockGoesBack) return results::seconds_since_1970;
  return [time = results::seconds_since_1970()]() mutable { return time -= 3600; };
}

results::Values environment() {
  results::Values values = {{"host", std::string("here")}};
  if (const char* gpu = std::getenv("CUDA_VISIBLE_DEVICES")) values["gpu"] = std::string(gpu);
  return values;
}

void print(int lines) {
  for (int i = 0; i < lines; ++i) std::puts("a line of fifty characters, over and over again ..");
  std::fflush(stdout);
}

void leave_a_child() {
  if (fork() == 0) {
    sleep(1000);
    _exit(0);
  }
}

// ----- Training: a number that each step changes, saved in checkpoints -----

struct Learnt {
  int step = 0;
  double value = 0;
  std::int64_t lines = 0;  // of events so far
};

fs::path checkpoint(const fs::path& folder, int step) {
  return folder / "checkpoints" / std::to_string(step) / "state";
}

// A different number if lines of the event file were lost.
fs::path written(fs::path checkpoint) { return checkpoint.replace_filename("written"); }

void keep(const fs::path& folder, const Learnt& learnt, results::EventWriter& events) {
  events.sync();
  const fs::path file = checkpoint(folder, learnt.step);
  fs::create_directory(folder / "checkpoints");
  fs::create_directory(file.parent_path());
  lcsm::write_whole(written(file), std::to_string(learnt.lines));
  lcsm::write_whole(file, std::to_string(learnt.value));
}

// As lcsm-train: one that cannot be read is no reason to go back, and one of a discarded history,
// or of lines that were lost, does not count.
Learnt newest(const fs::path& folder, const results::EventWriter& events) {
  Learnt learnt;
  for (int step = 1; step <= kSteps; ++step) {
    if (!fs::exists(checkpoint(folder, step))) continue;
    Learnt found{step};
    std::ifstream state(checkpoint(folder, step)), lines(written(checkpoint(folder, step)));
    if (!(state >> found.value) || !(lines >> found.lines))
      throw std::runtime_error("a checkpoint cannot be read");
    const bool lost = found.lines > events.position().lines;
    if (!lost && events.counts(found.lines)) learnt = found;
  }
  return learnt;
}

int learn(const fs::path& folder, std::int64_t way, results::EventWriter& events) {
  const char* pause = std::getenv("FAKE_STEP_MS");
  Learnt learnt = newest(folder, events);
  events.append(results::AttemptLine{learnt.step, learnt.lines, environment()});
  while (learnt.step < kSteps && asked == 0) {
    if (pause != nullptr) usleep(static_cast<useconds_t>(std::atoi(pause)) * 1000);
    ++learnt.step;
    learnt.value = 0.5 * learnt.value + static_cast<double>(way * learnt.step);
    events.append(results::MetricsLine{learnt.step, {{"train.loss", 1 / learnt.value}}});
    if (learnt.step % kStepsOfACheckpoint != 0) continue;
    events.append(results::MetricsLine{learnt.step, {{"valid.accuracy", 1 - 1 / learnt.value}}});
    learnt.lines = events.position().lines;
    keep(folder, learnt, events);
  }
  if (learnt.step < kSteps) return 5;
  events.append(results::MetricsLine{kSteps, {{"test.accuracy", 1 - 2 / learnt.value}}});
  return 0;
}

void talk(results::EventWriter& events) {
  for (int step = 1; step <= 20; ++step) {
    events.append(results::MetricsLine{step, {{"train.loss", 1.0 / step}}});
    if (step % 10 == 0) events.append(results::MetricsLine{step, {{"valid.accuracy", 0.5}}});
  }
}

int live(std::int64_t way, bool again, results::EventWriter& events) {
  if (way == kBySignal || (way == kSecondTry && !again)) {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would exit
    raise(SIGSEGV);
  }
  if (way == kTalks || way == kTalksUntilAsked) talk(events);
  if (way == kPrints10Megabytes) print(200'000);
  if (way == kPrints200Megabytes) print(4'000'000);
  if (way == kLeavesAChild) leave_a_child();
  const bool waits = way == kWhenAsked || way == kTalksUntilAsked;
  while (way == kHearsNothing || (waits && asked == 0)) usleep(10000);
  return way == kWhenAsked ? 5 : way > 1 && way < kBySignal ? static_cast<int>(way) : 0;
}

int train(const runner::RunConfig& config, const fs::path& workspace) {
  const std::string id = runner::run_id(config);
  const fs::path folder = results::run_folder(workspace, id);
  const std::int64_t way = config.integer("task.seed");
  if (starts_nothing(way)) {
    std::fprintf(stderr, "lcsm-train run: way %d:\n  a line\n  ^\n", static_cast<int>(way));
    return static_cast<int>(way);
  }
  results::EventWriter events(folder, runner::run_line(config), clock_of(way));
  const bool again = events.position().lines > 1, learns = way >= kLearns && way < kLearns + 10;
  if (!learns) events.append(results::AttemptLine{0, 0, environment()});
  const int status = learns ? learn(folder, way, events) : live(way, again, events);
  events.append(results::EndLine{runner::state_of_exit(status),
                                 learns ? newest(folder, events).step : 1, ""});
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5 || std::strcmp(argv[1], "run") != 0) return 2;
  signal(SIGTERM, ask);
  const runner::RunConfig config =
      runner::parse_config(runner::read_toml_file(argv[2]), argv[2], {}, ignore);
  try {
    return train(config, argv[4]);
  } catch (const results::BeingWritten&) {
    return 8;
  } catch (const std::system_error&) {
    return 4;
  }
}
