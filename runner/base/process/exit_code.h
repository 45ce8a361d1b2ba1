// The exit codes of `lcsm`. The code, `lcsm --help` and the tests share this list.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace runner {

enum class ExitCode : int {
  kDone = 0,
  kFailed = 1,
  kUsage = 2,
  kMissing = 3,
  kOutput = 4,
  kInterrupted = 5,
};

struct ExitCodeRow {
  ExitCode code;
  std::string_view meaning;
};

inline constexpr std::array kExitCodes = {
    ExitCodeRow{ExitCode::kDone, "done"},
    ExitCodeRow{ExitCode::kFailed, "a check or part of the work failed"},
    ExitCodeRow{ExitCode::kUsage,
                "wrong usage: unknown verb, option, code or sweep, invalid value"},
    ExitCodeRow{ExitCode::kMissing, "a required file, folder or program is missing"},
    ExitCodeRow{ExitCode::kOutput, "the output could not be written"},
    ExitCodeRow{ExitCode::kInterrupted, "interrupted by a signal; run the same command to resume"},
};

// Ends a verb early: thrown anywhere, caught in run_front. An empty message prints nothing.
class Failure : public std::runtime_error {
 public:
  Failure(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace runner
