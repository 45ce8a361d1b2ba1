// What a user wants done when a sweep is over: a command of the shell.
#pragma once

#include <string>

#include "runner/plan/run_counts.h"

namespace runner {

// The end of `lcsm run`.
struct SweepEnd {
  std::string sweep;
  RunCounts counts;      // of all its points
  bool started = false;  // there was something to do
  bool stopped = false;

  bool all_done() const;  // but for runs that were cancelled

  // "done", "failed", "interrupted", "nothing-to-do".
  std::string status() const;
};

// Runs `command` with sh and LCSM_SWEEP, LCSM_STATUS, LCSM_DONE, LCSM_FAILED, LCSM_LEFT in its
// environment, and waits for it. Returns what went wrong, empty when nothing did.
std::string run_on_finish(const std::string& command, const SweepEnd& end);

}  // namespace runner
