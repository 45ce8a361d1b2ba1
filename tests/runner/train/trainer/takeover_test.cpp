// A run that another host takes over while its process continues.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "results/events/checkpoints.h"
#include "results/events/event_writer.h"
#include "results/events/run_folder.h"
#include "runner/base/process/run_end.h"
#include "runner/config/run/run_id.h"
#include "runner/workspace/claim.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/run_program.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

std::int64_t claim_of(const fs::path& workspace, const RunConfig& config, const char* node) {
  ClaimOwner owner = this_owner();
  owner.node = node;
  const fs::path folder = results::run_folder(workspace, run_id(config));
  fs::create_directories(folder);
  return make_claim(folder, {.owner = owner}, /*own_segment=*/true, newest_claim(folder))
      .value()
      .number;
}

// Takes the run over in another process.
int take_over(const fs::path& workspace, const RunConfig& config) {
  const pid_t child = fork();
  if (child == 0) {
    int status = 1;
    try {
      status = exit_status_of(train(config, workspace, claim_of(workspace, config, "second")));
    } catch (...) {
    }
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::set<results::CheckpointPlace> checkpoints_in(const fs::path& folder) {
  std::set<results::CheckpointPlace> places;
  for (const auto& entry : fs::directory_iterator(folder / results::kCheckpointsFolder))
    if (const auto place = results::checkpoint_place(entry.path())) places.insert(*place);
  return places;
}

// Removes checkpoints that the first process finished after the second had ended; `lcsm gc` would
// remove them.
void remove_stale(const fs::path& folder, const std::set<results::CheckpointPlace>& wanted) {
  const std::set<results::CheckpointPlace> all = checkpoints_in(folder);
  for (const results::CheckpointPlace& place : all)
    if (place.segment == 1 && (!wanted.contains({place.step}) || all.contains({place.step, 2})))
      fs::remove_all(folder / results::checkpoint_name(place));
  for (const auto& entry : fs::directory_iterator(folder / results::kCheckpointsFolder))
    if (!results::checkpoint_place(entry.path())) fs::remove_all(entry.path());
}

}  // namespace

TEST(Takeover, AtAnyWriteLeavesWhatAnUninterruptedRunDoes) {
  const RunConfig config = config_of(small_run());
  const ScratchFolder calm;
  ASSERT_EQ(train(config, calm.path()), RunState::kDone);
  const std::string wanted = outcome_of(calm.path(), config);
  constexpr int kEvery = 3;
  int n = 1;
  for (bool reached = true; reached; n += kEvery * results::kStride) {
    const ScratchFolder scratch;
    const std::int64_t claim = claim_of(scratch.path(), config, "first");
    int changes = 0, second = -1;
    results::watch_changes(
        [&] {
          if (++changes == n) second = take_over(scratch.path(), config);
        },
        [&] {
          try {
            train(config, scratch.path(), claim);
          } catch (const RunFailure& failure) {
            EXPECT_EQ(failure.end(), RunState::kBusy) << failure.what();
          } catch (const results::BeingWritten&) {
          }
        });
    reached = changes >= n;
    if (!reached) break;
    EXPECT_EQ(second, 0) << "at change " << n;
    remove_stale(results::run_folder(scratch.path(), run_id(config)),
                 checkpoints_in(results::run_folder(calm.path(), run_id(config))));
    ASSERT_EQ(outcome_of(scratch.path(), config), wanted) << "at change " << n;
  }
  EXPECT_GT(n, 30);
}

}  // namespace runner
