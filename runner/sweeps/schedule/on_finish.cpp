#include "runner/sweeps/schedule/on_finish.h"

#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace runner {

using results::RunState;

bool SweepEnd::all_done() const { return counts.of(RunState::kFailed) + counts.left() == 0; }

std::string SweepEnd::status() const {
  if (stopped) return std::string(name_of(RunState::kInterrupted));
  if (!all_done()) return std::string(name_of(RunState::kFailed));
  return started ? std::string(name_of(RunState::kDone)) : "nothing-to-do";
}

std::string run_on_finish(const std::string& command, const SweepEnd& end) {
  const auto set = [](const char* name, const std::string& value) {
    setenv(name, value.c_str(), 1);
  };
  set("LCSM_SWEEP", end.sweep);
  set("LCSM_STATUS", end.status());
  set("LCSM_DONE", std::to_string(end.counts.of(RunState::kDone)));
  set("LCSM_FAILED", std::to_string(end.counts.of(RunState::kFailed)));
  set("LCSM_LEFT", std::to_string(end.counts.left()));
  const int status = std::system(command.c_str());
  if (status == 0) return "";
  if (status < 0) return std::string("cannot start --on-finish: ") + std::strerror(errno);
  return "--on-finish ended with " +
         (WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                              : "exit status " + std::to_string(WEXITSTATUS(status))) +
         ": " + command;
}

}  // namespace runner
