#include "runner/front/panel/screen_guard.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace runner {
namespace {

constexpr char kTaken = 't', kGivenBack = 'g';

// A lock or a pipe that we inherit must not outlive its owner.
void close_others(int first, int second) {
  const long most = sysconf(_SC_OPEN_MAX);
  const int end = most > 0 && most < 65536 ? static_cast<int>(most) : 65536;
  for (int each = 0; each < end; ++each)
    if (each != first && each != second) close(each);
}

// Runs after a fork: only async-signal-safe calls. All signals stay blocked. Has its own session,
// so that nothing sent to our process group ends it.
[[noreturn]] void guard_terminal(int pipe, int terminal, const termios& modes,
                                 std::string_view leave) {
  setsid();
  if (fork() != 0) _exit(0);  // the guard is init's child: nobody here waits for it
  close_others(pipe, terminal);
  char last = kGivenBack, next = 0;
  for (ssize_t got = 0; (got = read(pipe, &next, 1)) != 0;)
    if (got > 0)
      last = next;
    else if (errno != EINTR)
      break;
  if (last == kTaken) {
    pollfd room{terminal, POLLOUT, 0};
    poll(&room, 1, 500);
    tcsetattr(terminal, TCSANOW, &modes);
    (void)!write(terminal, leave.data(), leave.size());
  }
  _exit(0);
}

}  // namespace

ScreenGuard::ScreenGuard(int terminal, const termios& modes, std::string_view leave) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  // The guard must not run our handlers.
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t child = fork();
  if (child == 0) guard_terminal(ends[0], terminal, modes, leave);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  close(ends[0]);
  handle_ = ends[1];
  fcntl(handle_, F_SETFL, O_NONBLOCK);
  while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

ScreenGuard::~ScreenGuard() {
  if (handle_ >= 0) close(handle_);
}

void ScreenGuard::tell(bool taken) const {
  const char state = taken ? kTaken : kGivenBack;
  if (handle_ >= 0) (void)!write(handle_, &state, 1);
}

}  // namespace runner
