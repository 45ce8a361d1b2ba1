// A child process in its own process group. It is killed when this process dies, and the way it
// ended is classified.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/events/run_state.h"

namespace runner {

struct Ended {
  results::RunState state = results::RunState::kLost;
  std::string why;  // "exit status 7", "signal 11 (Segmentation fault)"
};

class ChildProcess {
 public:
  // stdout and stderr are appended to `log`; stdin is empty. `environment` ("NAME=value") is added
  // to this process's. Throws std::system_error if nothing can be started; then nothing runs.
  ChildProcess(const std::vector<std::string>& command, const std::filesystem::path& log,
               const std::vector<std::string>& environment = {});
  ~ChildProcess();  // kills the group if it still runs
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  pid_t id() const { return id_; }
  int handle() const { return handle_; }  // readable once it has ended
  void signal(int number) const;          // to the whole group
  std::optional<Ended> ended();           // does not wait; kills the rest of the group

 private:
  pid_t id_ = -1;
  int handle_ = -1;
  std::int64_t oom_kills_ = 0;
};

// Classifies a status of waitpid. `oom_kill`: the kernel's OOM killer acted while the process ran.
Ended classify(int status, bool oom_kill);

}  // namespace runner
