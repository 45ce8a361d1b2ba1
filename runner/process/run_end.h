// How a process that trains a run ends: its exit status, its name, what is to be done. One list for
// the program, for those that start it, for `lcsm-train run --help` and for the tests.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace runner {

enum class RunEnd : int {
  kDone = 0,
  kInternal = 1,
  kConfiguration = 2,
  kDataMissing = 3,
  kNoRoom = 4,
  kInterrupted = 5,
  kDiverged = 6,
  kOutOfMemory = 7,
  kBusy = 8,
};

struct RunEndRow {
  RunEnd end;
  std::string_view name;
  std::string_view meaning;
};

inline constexpr std::array kRunEnds = {
    RunEndRow{RunEnd::kDone, "done", "trained to its end, now or earlier"},
    RunEndRow{RunEnd::kInternal, "internal", "an error of the program or of the host"},
    RunEndRow{RunEnd::kConfiguration, "bad configuration",
              "nothing was started: fix the configuration"},
    RunEndRow{RunEnd::kDataMissing, "data missing", "nothing was started: fetch the data"},
    RunEndRow{RunEnd::kNoRoom, "disk full",
              "cannot write a file: free space and run again to resume"},
    RunEndRow{RunEnd::kInterrupted, "interrupted",
              "by SIGINT, SIGTERM or SIGUSR2: run again to resume"},
    RunEndRow{RunEnd::kDiverged, "diverged", "loss or gradient is NaN, infinite or far too large"},
    RunEndRow{RunEnd::kOutOfMemory, "out of memory", "of the host or of the device"},
    RunEndRow{RunEnd::kBusy, "busy", "another process is training this run"},
};

// How a run ends early: thrown anywhere, caught in one place.
class RunFailure : public std::runtime_error {
 public:
  RunFailure(RunEnd end, const std::string& message) : std::runtime_error(message), end_(end) {}
  RunEnd end() const { return end_; }

 private:
  RunEnd end_;
};

}  // namespace runner
