// Which sweep `lcsm run` works on in a workspace, so that `status` and `watch` need not be told.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "runner/sweeps/choice.h"

namespace runner {

struct RunningSweep {
  SweepChoice choice;  // a file of one's own by its whole path
  int jobs = 1;
};

// `.running.json` of the workspace: it stays when the sweep is over, the next one writes it anew.
void write_running(const std::filesystem::path& workspace, const SweepFile& sweep,
                   const SweepRequest& request, int jobs);
std::optional<RunningSweep> read_running(const std::filesystem::path& workspace);

// The sweep that is meant: that of `asked`, at the scale and settings of the run that goes on or
// was last where it is the same and says nothing else; without a name that one. Throws Failure.
RunningSweep running_or(const SweepChoice& asked, const std::filesystem::path& workspace);

}  // namespace runner
