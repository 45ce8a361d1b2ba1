#include "runner/front/verbs/detach.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <thread>

#include "lcsm/base/safe_text.h"
#include "lcsm/files/whole_file.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/stderr_text.h"
#include "runner/workspace/run_lock.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

// Begins where this process's output begins.
std::string text_from(const fs::path& file, off_t begin) {
  lcsm::refuse_links(file);
  const lcsm::OpenFile log(file, O_RDONLY | O_CLOEXEC);
  std::string text(1 << 16, '\0');
  const ssize_t got = pread(log.handle(), text.data(), text.size(), begin);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

bool runs_workspace(pid_t process, const fs::path& workspace) {
  const std::optional<WorkspaceRunner> runner = who_runs(workspace);
  return runner && runner->process == process;
}

bool waits_for_workspace(pid_t process, const fs::path& workspace) {
  return std::ranges::any_of(who_waits(workspace), [&](const WorkspaceRunner& waiting) {
    return waiting.process == process;
  });
}

}  // namespace

lcsm::OpenFile detached_log(const fs::path& workspace) {
  lcsm::create_folder(workspace);
  const fs::path file = workspace / kDetachedLog;
  lcsm::OpenFile log(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC);
  if (!log.is_open())
    throw Failure(ExitCode::kOutput, "'" + file.string() + "' cannot be written: " +
                                         std::strerror(errno) + "; choose another workspace");
  return log;
}

void leave_terminal(const lcsm::OpenFile& log) {
  setsid();
  const lcsm::OpenFile nothing("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing.handle(), STDIN_FILENO);
  dup2(log.handle(), STDOUT_FILENO);
  dup2(log.handle(), STDERR_FILENO);
}

std::string detached_text(int process, const fs::path& workspace) {
  const bool waits = waits_for_workspace(process, workspace);
  return fmt::format(
      "lcsm run: in the background, process {}{}; its output goes to {}\n"
      "  lcsm watch     shows it\n"
      "  kill -INT {}   interrupts it\n",
      process, waits ? ", where it waits for its turn" : "",
      lcsm::safe_text((workspace / kDetachedLog).string()), process);
}

bool goes_on_detached(const fs::path& workspace) {
  const lcsm::OpenFile log = detached_log(workspace);
  const off_t begin = lseek(log.handle(), 0, SEEK_END);
  std::fflush(nullptr);
  const pid_t process = fork();
  if (process < 0) throw Failure(ExitCode::kFailed, std::string("fork: ") + std::strerror(errno));
  if (process == 0) {
    leave_terminal(log);
    return true;
  }
  int status = 0;
  while (waitpid(process, &status, WNOHANG) == 0) {
    if (runs_workspace(process, workspace) || waits_for_workspace(process, workspace)) {
      fmt::print("{}", detached_text(process, workspace));
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  print_safe(text_from(workspace / kDetachedLog, begin));
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  if (code != 0) throw Failure(static_cast<ExitCode>(code), "");
  return false;
}

}  // namespace runner
