// A program that runs beside us: in a process group of its own, dead when we are, its end
// classified.
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
  // Both outputs are appended to `log`; input is empty. `environment` ("NAME=value") is added to
  // this process's. Throws std::system_error when nothing can be started.
  ChildProcess(const std::vector<std::string>& command, const std::filesystem::path& log,
               const std::vector<std::string>& environment = {});
  ~ChildProcess();  // kills what still runs
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  pid_t id() const { return id_; }
  int handle() const { return handle_; }  // readable once it has ended
  void signal(int number) const;          // to the whole group
  std::optional<Ended> ended();           // waits for nothing; also ends what it left behind

 private:
  pid_t id_ = -1;
  int handle_ = -1;
  std::int64_t oom_kills_ = 0;
};

// Which end a status of waitpid is. `oom_kill`: the kernel has killed for memory meanwhile.
Ended classify(int status, bool oom_kill);

}  // namespace runner
