// Notes which sweep `lcsm run` works on in a workspace, for `status` and `watch`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "runner/sweeps/language/choice.h"

namespace runner {

struct RunningSweep {
  SweepChoice choice;  // a custom file by its absolute path
  int jobs = 1;
};

// `.running.json` of the workspace: it stays after the sweep, and the next one replaces it.
void write_running(const std::filesystem::path& workspace, const SweepFile& sweep,
                   const SweepRequest& request, int jobs);
std::optional<RunningSweep> read_running(const std::filesystem::path& workspace);
// The time of the note, in the file system's clock; 0: there is none.
std::int64_t running_time(const std::filesystem::path& workspace);

// The selected sweep: the one in `asked`, by default at the scale and settings of the current or
// last `lcsm run` if that ran the same sweep; without a name, the sweep of that `lcsm run`. Throws
// Failure.
RunningSweep running_or(const SweepChoice& asked, const std::filesystem::path& workspace);

}  // namespace runner
