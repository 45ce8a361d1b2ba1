#include "runner/plan/run_states.h"

#include <gtest/gtest.h>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "tests/results/fixture.h"

namespace runner {
namespace {

using results::Scratch;

RunStates states_of(const std::filesystem::path& workspace) {
  results::fold(workspace);
  return run_states(*results::open_for_reading(workspace), workspace);
}

}  // namespace

TEST(RunStates, SayWhatTheLastAttemptCameTo) {
  Scratch workspace;
  int number = 0;
  for (const char* status : {"done", "interrupted", "diverged", "out-of-memory", "failed"})
    results::write_run(workspace.path(), {.number = ++number, .status = status});
  const RunStates states = states_of(workspace.path());
  std::string kinds;
  for (int i = 0; i <= number; ++i) kinds += std::string(kind_of(states, results::run_id(i))) + " ";
  EXPECT_EQ(kinds, "new done interrupted failed failed failed ");
  EXPECT_EQ(states.at(results::run_id(3)).status, "diverged");
  EXPECT_EQ(states.at(results::run_id(1)).steps, 300);
}

TEST(RunStates, TellARunThatIsWrittenFromOneThatWasLost) {
  Scratch workspace;
  const auto folder = results::write_run(workspace.path(), {.number = 1, .status = ""});
  EXPECT_EQ(kind_of(states_of(workspace.path()), results::run_id(1)), "interrupted");
  const results::EventWriter writer(folder);
  EXPECT_EQ(kind_of(states_of(workspace.path()), results::run_id(1)), "running");
}

TEST(RunStates, NameRefusedRuns) {
  Scratch workspace;
  const auto folder = results::write_run(workspace.path(), {.number = 1});
  results::write_text(folder / results::kEventFile, "{}\n{}\n");
  EXPECT_EQ(kind_of(states_of(workspace.path()), results::run_id(1)), "failed");
}

}  // namespace runner
