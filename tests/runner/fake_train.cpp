// Replaces lcsm-train: `run FILE --workspace DIR --set ...`. The configuration's task.seed selects
// its end (`Way`); 2 .. 8 are exit codes, unknown values act like 1. FAKE_STEP_MS: the time of a
// training step.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <system_error>

#include "results/events/event_reader.h"
#include "results/events/event_writer.h"
#include "results/events/run_folder.h"
#include "runner/base/files/toml_file.h"
#include "runner/base/process/run_end.h"
#include "runner/base/process/stop_signals.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/run/run_line.h"
#include "runner/workspace/claim_hold.h"
#include "runner/workspace/folder.h"
#include "tests/runner/fake_learner.h"

namespace {

namespace fs = std::filesystem;
using runner::operator""_key;

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

void ignore(const std::string&) {}

bool asked() { return runner::StopSignals::received() != 0; }

// Ways that end before the event file is opened.
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

int learn(runner::FakeLearner& learner) {
  const char* pause = std::getenv("FAKE_STEP_MS");
  const bool whole = learner.learn(environment(), asked, [pause](int) {
    if (pause != nullptr) usleep(static_cast<useconds_t>(std::atoi(pause)) * 1000);
  });
  return whole ? 0 : 5;
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
  while (way == kHearsNothing || (waits && !asked())) usleep(10000);
  return way == kWhenAsked ? 5 : way > 1 && way < kBySignal ? static_cast<int>(way) : 0;
}

int train(const runner::RunConfig& config, const fs::path& workspace, std::int64_t claim) {
  const std::string id = runner::run_id(config);
  const fs::path folder = results::run_folder(workspace, id);
  const std::int64_t way = config.integer("task.seed"_key);
  if (starts_nothing(way)) {
    std::fprintf(stderr, "lcsm-train run: way %d:\n  a line\n  ^\n", static_cast<int>(way));
    return static_cast<int>(way);
  }
  if (claim > 0 && results::is_done(folder)) return 0;  // by another process meanwhile
  std::optional<runner::ClaimHold> hold;
  if (claim > 0) hold.emplace(folder, claim);
  results::EventWriter events(folder, runner::run_line(config), clock_of(way),
                              hold ? hold->segment() : 0);
  runner::FakeLearner learner(folder, way, events, hold ? &*hold : nullptr);
  const bool again = events.position().lines > 1, learns = way >= kLearns && way < kLearns + 10;
  if (!learns) events.append(results::AttemptLine{0, 0, environment()});
  const int status = learns ? learn(learner) : live(way, again, events);
  learner.check();
  events.append(results::EndLine{runner::state_of_exit(status), learns ? learner.saved() : 1, ""});
  return status;
}

std::int64_t claim_in(int argc, char** argv) {
  for (int i = 5; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], "--claim") == 0) return std::atoll(argv[i + 1]);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5 || std::strcmp(argv[1], "run") != 0) return 2;
  const runner::StopSignals listening;
  const runner::RunConfig config =
      runner::parse_config(runner::read_toml_file(argv[2]), argv[2], {}, ignore);
  try {
    return train(config, runner::workspace_folder(argv[4]), claim_in(argc, argv));
  } catch (const results::BeingWritten&) {
    return 8;
  } catch (const runner::RunFailure& failure) {
    std::fprintf(stderr, "lcsm-train run: %s\n", failure.what());
    return runner::exit_status_of(failure.end());
  } catch (const std::system_error&) {
    return 4;
  }
}
