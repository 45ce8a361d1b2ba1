#include "runner/base/process/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "runner/base/process/command.h"
#include "runner/base/process/run_end.h"
#include "runner/base/process/stop_signals.h"

namespace runner {
namespace {

constexpr int kCannotRun = 127;

// The number of processes that the kernel has killed for lack of memory since boot.
std::int64_t oom_kills() {
  std::ifstream file("/proc/vmstat");
  std::string name;
  for (std::int64_t count = 0; file >> name >> count;)
    if (name == "oom_kill") return count;
  return 0;
}

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// Null-terminated, as execve expects; valid as long as `texts`.
std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

// Runs in the child: only calls that are safe after a fork.
[[noreturn]] void become(char* const* words, char* const* variables, int log, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kCannotRun);  // the parent died before prctl
  for (const int number : {SIGINT, SIGTERM, SIGUSR2, SIGPIPE}) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  dup2(log, 1);
  dup2(log, 2);
  execve(words[0], words, variables);
  const char* reason = strerror(errno);
  (void)!write(2, words[0], strlen(words[0]));
  (void)!write(2, ": ", 2);
  (void)!write(2, reason, strlen(reason));
  (void)!write(2, "\n", 1);
  _exit(kCannotRun);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command,
                           const std::filesystem::path& log,
                           const std::vector<std::string>& environment)
    : oom_kills_(oom_kills()) {
  const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) fail(log.c_str());
  const std::vector<std::string> variables = environment_with(environment);
  const std::vector<char*> words = pointers(command), values = pointers(variables);
  const pid_t parent = getpid();
  // Block signals until the child has reset our handlers, which would swallow them.
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  id_ = fork();
  if (id_ == 0) become(words.data(), values.data(), file, parent);
  const int why = errno;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  close(file);
  errno = why;
  if (id_ < 0) fail("fork");
  setpgid(id_, id_);  // parent and child both do, whoever is first
  handle_ = static_cast<int>(syscall(SYS_pidfd_open, id_, 0));
  if (handle_ >= 0) return;
  const int reason = errno;
  signal(SIGKILL);
  waitpid(id_, nullptr, 0);
  errno = reason;
  fail("pidfd_open");
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      handle_(std::exchange(other.handle_, -1)),
      oom_kills_(other.oom_kills_) {}

ChildProcess::~ChildProcess() {
  if (id_ > 0) {
    signal(SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  if (handle_ >= 0) close(handle_);
}

void ChildProcess::signal(int number) const {
  if (id_ > 0) kill(-id_, number);
}

std::optional<Ended> ChildProcess::ended() {
  if (id_ < 0) return Ended{};
  int status = 0;
  const pid_t which = waitpid(id_, &status, WNOHANG);
  if (which == 0) return std::nullopt;
  signal(SIGKILL);  // whatever it forked
  id_ = -1;
  return which < 0 ? Ended{.why = "its exit status is unknown"}
                   : classify(status, oom_kills() > oom_kills_);
}

Ended classify(int status, bool oom_kill) {
  if (WIFEXITED(status)) {
    const int code = WEXITSTATUS(status);
    return {state_of_exit(code), "exit status " + std::to_string(code)};
  }
  const int number = WTERMSIG(status);
  if (number == SIGKILL && oom_kill)
    return {results::RunState::kOutOfMemory, "killed by the kernel: the host was out of memory"};
  if (number == kStopRequest)  // before it handled signals
    return {results::RunState::kInterrupted, "stopped before it began to train"};
  return {results::RunState::kSignal,
          "signal " + std::to_string(number) + " (" + strsignal(number) + ")"};
}

}  // namespace runner
