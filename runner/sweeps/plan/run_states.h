// Lists the runs of a workspace and their states.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>

#include "results/events/run_state.h"
#include "results/store/database.h"
#include "runner/workspace/control.h"

namespace runner {

struct RunStatus {
  results::RunState state = results::RunState::kNew;
  results::RunState last = results::RunState::kNew;  // the state without requests of users
  std::int64_t steps = 0;
  std::string message = {};
};
using RunStates = std::unordered_map<std::string, RunStatus>;  // by id; no entry: new

RunStates run_states(results::Database& database, const std::filesystem::path& workspace);

results::RunState state_of(const RunStates& states, const std::string& id);

// `ended`: how the last attempt ended, by its events: kRunning if it has no end, kNew without
// attempts. A run without an end is lost if no process writes its event file: its process was
// killed, or its host went down.
RunStatus status_in(const std::filesystem::path& workspace, const std::string& id,
                    const RunStatus& ended, const Control& control);

}  // namespace runner
