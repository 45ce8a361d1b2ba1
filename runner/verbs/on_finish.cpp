#include "runner/verbs/on_finish.h"

#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace runner {

std::string SweepEnd::status() const {
  if (stopped) return "interrupted";
  if (failed > 0 || left > 0) return "failed";
  return started ? "done" : "nothing-to-do";
}

std::string run_on_finish(const std::string& command, const SweepEnd& end) {
  const auto tell = [](const char* name, const std::string& value) {
    setenv(name, value.c_str(), 1);
  };
  tell("LCSM_SWEEP", end.sweep);
  tell("LCSM_STATUS", end.status());
  tell("LCSM_DONE", std::to_string(end.done));
  tell("LCSM_FAILED", std::to_string(end.failed));
  tell("LCSM_LEFT", std::to_string(end.left));
  const int status = std::system(command.c_str());
  if (status == 0) return "";
  if (status < 0) return std::string("--on-finish could not be started: ") + std::strerror(errno);
  return "--on-finish ended with " +
         (WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                              : "exit status " + std::to_string(WEXITSTATUS(status))) +
         ": " + command;
}

}  // namespace runner
