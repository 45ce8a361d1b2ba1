// Runs the user's shell command at the end of a sweep.
#pragma once

#include <string>

#include "runner/sweeps/plan/run_counts.h"

namespace runner {

// The end of `lcsm run`.
struct SweepEnd {
  std::string sweep;
  RunCounts counts;      // of all its points
  bool started = false;  // at least one run was to be started
  bool stopped = false;

  bool all_done() const;  // except cancelled runs

  // "done", "failed", "interrupted", "nothing-to-do".
  std::string status() const;
};

// Runs `command` with sh and LCSM_SWEEP, LCSM_STATUS, LCSM_DONE, LCSM_FAILED, LCSM_LEFT in its
// environment, and waits for it. Returns an error message, empty if it succeeded.
std::string run_on_finish(const std::string& command, const SweepEnd& end);

}  // namespace runner
