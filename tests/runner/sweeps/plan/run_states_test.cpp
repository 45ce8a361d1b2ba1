#include "runner/sweeps/plan/run_states.h"

#include <gtest/gtest.h>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "runner/workspace/end_note.h"
#include "tests/results/fixture.h"
#include "tests/source_folder.h"

namespace runner {
namespace {

using results::RunState;
using results::Scratch;

RunStates states_of(const std::filesystem::path& workspace) {
  results::fold(workspace);
  return run_states(*results::open_for_reading(workspace), workspace);
}

RunState state(const RunStates& states, int number) {
  return state_of(states, results::run_id(number));
}

}  // namespace

TEST(RunStates, FollowFromTheLastAttempt) {
  Scratch workspace;
  int number = 0;
  for (const char* status : {"done", "interrupted", "diverged", "out-of-memory", "failed"})
    results::write_run(workspace.path(), {.number = ++number, .status = status});
  const RunStates states = states_of(workspace.path());
  std::string names;
  for (int i = 0; i <= number; ++i) names += std::string(name_of(state(states, i))) + ", ";
  EXPECT_EQ(names, "new, done, interrupted, diverged, out of memory, failed, ");
  EXPECT_EQ(states.at(results::run_id(1)).steps, 300);
}

TEST(RunStates, DistinguishRunningAndLostRuns) {
  Scratch workspace;
  const auto folder = results::write_run(workspace.path(), {.number = 1, .status = ""});
  EXPECT_EQ(state(states_of(workspace.path()), 1), RunState::kLost);
  const results::EventWriter writer(folder);
  EXPECT_EQ(state(states_of(workspace.path()), 1), RunState::kRunning);
}

// The run wrote an event file, or ended before it could.
TEST(RunStates, TrustTheProcessThatSawARunEnd) {
  Scratch workspace;
  const auto lost = results::write_run(workspace.path(), {.number = 1, .status = ""});
  write_end_note(lost, {RunState::kSignal, "signal 11", 3});
  const auto missing = results::run_folder(workspace.path(), results::run_id(2));
  std::filesystem::create_directories(missing);
  write_end_note(missing, {RunState::kDataMissing, "exit status 3", 1});
  const auto retried = results::write_run(workspace.path(), {.number = 3, .status = ""});
  write_end_note(retried, {RunState::kSignal, "signal 11", 1, 5});
  const auto broken = results::run_folder(workspace.path(), results::run_id(4));
  std::filesystem::create_directories(broken);
  write_end_note(broken, {RunState::kInternal, "exit status 127", 3});
  const RunStates states = states_of(workspace.path());
  EXPECT_EQ(state(states, 1), RunState::kSignal);
  EXPECT_EQ(states.at(results::run_id(1)).message, "signal 11");
  EXPECT_EQ(state(states, 2), RunState::kDataMissing);
  EXPECT_EQ(state(states, 3), RunState::kWaiting);
  EXPECT_EQ(state(states, 4), RunState::kNotStarted) << "no attempt began: it may start again";
}

TEST(RunStates, FollowRequestsOfUsers) {
  Scratch workspace;
  const auto id = [](int number) { return results::run_id(number); };
  for (int number = 1; number <= 3; ++number)
    results::write_run(workspace.path(),
                       {.number = number, .status = number == 3 ? "done" : "diverged"});
  retry_runs(workspace.path(), {id(1)});
  for (const int number : {2, 3, 4}) cancel_runs(workspace.path(), {id(number)});
  const RunStates states = states_of(workspace.path());
  EXPECT_EQ(state(states, 1), RunState::kWaiting);
  EXPECT_EQ(state(states, 2), RunState::kCancelled);
  EXPECT_EQ(states.at(id(2)).last, RunState::kDiverged);
  EXPECT_EQ(state(states, 3), RunState::kDone);
  EXPECT_EQ(state(states, 4), RunState::kCancelled);
}

TEST(RunStates, AreInTheReadme) {
  std::string readme = results::read_text(source_folder() / "runner/sweeps/README.md");
  if (readme.empty()) GTEST_SKIP() << "source tree not found: " << source_folder();
  const std::size_t from = readme.find("## States of a run\n");
  readme = readme.substr(from, readme.find("\n## ", from) - from);
  for (const results::RunStateRow& row : results::kRunStates)
    EXPECT_NE(readme.find(row.name), std::string::npos) << row.name;
}

TEST(RunStates, NameRefusedRuns) {
  Scratch workspace;
  const auto folder = results::write_run(workspace.path(), {.number = 1});
  results::write_text(folder / results::kEventFile, "{}\n{}\n");
  EXPECT_EQ(state(states_of(workspace.path()), 1), RunState::kRefused);
}

}  // namespace runner
