// Notes which sweep `lcsm run` works on in a workspace, for `status` and `watch`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "runner/sweeps/language/choice.h"

namespace runner {

struct RunningSweep {
  SweepChoice choice;  // a custom file by its absolute path
  int jobs = 1;
};

// Writes `.running.json` in the workspace. It stays after the sweep; the next sweep replaces it.
void write_running(const std::filesystem::path& workspace, const SweepFile& sweep,
                   const SweepRequest& request, int jobs);
std::optional<RunningSweep> read_running(const std::filesystem::path& workspace);
// The modification time of the note; 0: there is no note.
std::int64_t running_time(const std::filesystem::path& workspace);

// The selected sweep: the sweep in `asked`, by default with the scale and settings of the current
// or last `lcsm run` of this sweep; without a name, the sweep of the current or last `lcsm run`.
// Throws Failure.
RunningSweep running_or(const SweepChoice& asked, const std::filesystem::path& workspace);

}  // namespace runner
