#include "runner/front/verbs/foreground.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <string>

#include "lcsm/files/open_file.h"
#include "runner/base/process/exit_code.h"
#include "runner/front/verbs/detach.h"

namespace runner {
namespace {

constexpr timespec kMoment{0, 200'000'000};

int to_parent = -1;  // in the child: a pipe for the parent's last message

bool is_ours(int terminal) { return tcgetpgrp(terminal) == getpgrp(); }

sigset_t passed_on() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number :
       {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGTTOU})
    sigaddset(&signals, number);
  return signals;
}

[[noreturn]] void end_as(int status, const sigset_t& before) {
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    sigprocmask(SIG_SETMASK, &before, nullptr);
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : static_cast<int>(ExitCode::kFailed));
}

// SIGTTOU is blocked, so that the terminal can be handed over from the background.
[[noreturn]] void wait_for(pid_t child, int from_child, const sigset_t& signals,
                           const sigset_t& before) {
  for (;;) {
    if (is_ours(STDERR_FILENO)) tcsetpgrp(STDERR_FILENO, child);  // also after `bg` and `fg`
    const int number = sigtimedwait(&signals, nullptr, &kMoment);
    if (number > 0 && number != SIGCHLD && number != SIGTTOU) kill(child, number);
    int status = 0;
    if (waitpid(child, &status, WNOHANG | WUNTRACED) == child) {
      if (WIFSTOPPED(status)) {
        kill(0, SIGSTOP);  // the whole job, as Ctrl-Z does
        continue;
      }
      tcsetpgrp(STDERR_FILENO, getpgrp());
      end_as(status, before);
    }
    std::array<char, 4096> text;
    const ssize_t got = read(from_child, text.data(), text.size());
    if (got <= 0) continue;
    tcsetpgrp(STDERR_FILENO, getpgrp());
    lcsm::write_all(STDOUT_FILENO, {text.data(), static_cast<std::size_t>(got)});
    _exit(0);
  }
}

}  // namespace

void work_in_child() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
    throw Failure(ExitCode::kFailed, std::string("pipe: ") + std::strerror(errno));
  const sigset_t signals = passed_on();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &signals, &before);
  std::fflush(nullptr);
  const pid_t parent = getpid(), child = fork();
  if (child < 0) throw Failure(ExitCode::kFailed, std::string("fork: ") + std::strerror(errno));
  if (child > 0) {
    setpgid(child, child);
    close(ends[1]);
    wait_for(child, ends[0], signals, before);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  setpgid(0, 0);
  tcsetpgrp(STDERR_FILENO, getpgrp());
  close(ends[0]);
  to_parent = ends[1];
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

void go_to_background(const std::filesystem::path& workspace,
                      const std::function<void()>& close_screen) {
  const lcsm::OpenFile log = detached_log(workspace);
  close_screen();
  std::fflush(nullptr);
  const pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, 0);
  setpgid(0, getpgid(parent));  // the leader of a group cannot begin a session
  leave_terminal(log);
  lcsm::write_all(to_parent, detached_text(getpid(), workspace));
  kill(parent, SIGCHLD);  // it looks into the pipe
}

}  // namespace runner
