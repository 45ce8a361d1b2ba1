// The exit codes of `lcsm-train run`. The program, the processes that start it, `lcsm-train run
// --help` and the tests share this list.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "results/events/run_state.h"

namespace runner {

struct RunEndRow {
  results::RunState state;
  std::string_view meaning;
};

// A row's position is the exit status.
inline constexpr std::array kRunEnds = {
    RunEndRow{results::RunState::kDone, "trained to its end, now or earlier"},
    RunEndRow{results::RunState::kInternal, "an error of the program or of the host"},
    RunEndRow{results::RunState::kConfiguration, "nothing was started: fix the configuration"},
    RunEndRow{results::RunState::kDataMissing, "nothing was started: fetch the data"},
    RunEndRow{results::RunState::kNoRoom,
              "cannot write a file: free space and run again to resume"},
    RunEndRow{results::RunState::kInterrupted,
              "by SIGINT, SIGTERM, SIGUSR2 or SIGHUP: run again to resume"},
    RunEndRow{results::RunState::kDiverged, "loss or gradient is NaN, infinite or far too large"},
    RunEndRow{results::RunState::kOutOfMemory, "of the host or of the device"},
    RunEndRow{results::RunState::kBusy, "another process is training this run"},
};

// -1 if it is not an exit status.
constexpr int exit_status_of(results::RunState state) {
  for (std::size_t i = 0; i < kRunEnds.size(); ++i)
    if (kRunEnds[i].state == state) return static_cast<int>(i);
  return -1;
}

// Any other status is an internal error.
constexpr results::RunState state_of_exit(int status) {
  const bool known = status >= 0 && static_cast<std::size_t>(status) < kRunEnds.size();
  return known ? kRunEnds[static_cast<std::size_t>(status)].state : results::RunState::kInternal;
}

// Ends a run early: thrown anywhere, caught in one place.
class RunFailure : public std::runtime_error {
 public:
  RunFailure(results::RunState end, const std::string& message)
      : std::runtime_error(message), end_(end) {}
  results::RunState end() const { return end_; }

 private:
  results::RunState end_;
};

}  // namespace runner
