// How far the runs of a workspace are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>

#include "results/store/database.h"

namespace runner {

// What a run's last attempt came to. A run without an end whose event file nobody writes was lost:
// killed, or its machine went down.
struct RunState {
  std::string status;  // "done", "interrupted", "diverged", "out-of-memory", "failed",
                       // "running", "lost", "refused"; "cancelled", whatever it came to before
  std::int64_t steps = 0;
  std::string message;
};
using RunStates = std::unordered_map<std::string, RunState>;  // by id; no entry: new

RunStates run_states(results::Database& database, const std::filesystem::path& workspace);

// What a scheduler would do with it: "new", "done", "interrupted", "failed", "running",
// "cancelled".
std::string_view kind_of(const RunStates& states, const std::string& id);

}  // namespace runner
