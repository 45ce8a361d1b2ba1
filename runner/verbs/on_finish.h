// What a user wants done when a sweep is over: a command of the shell.
#pragma once

#include <cstddef>
#include <string>

namespace runner {

// How a sweep stands at the end of `lcsm run`.
struct SweepEnd {
  std::string sweep;
  std::size_t done = 0, failed = 0, left = 0;  // of all its points
  bool started = false;                        // there was something to do
  bool stopped = false;

  // "done", "failed", "interrupted", "nothing-to-do".
  std::string status() const;
};

// Runs `command` with sh and LCSM_SWEEP, LCSM_STATUS, LCSM_DONE, LCSM_FAILED, LCSM_LEFT in its
// environment, and waits for it. Returns what went wrong, empty when nothing did.
std::string run_on_finish(const std::string& command, const SweepEnd& end);

}  // namespace runner
