#include "tests/results/kill_at_write.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

// The fault at the change after which `left` is 0.
struct Fault {
  int left = 0;   // changes until then; 0: nothing happens
  int error = 0;  // 0: the process is killed
  bool lasts = false;
  int signal = 0;  // raised instead
  bool of_locks = false;
  const char* of = "";  // part of the paths of files that count
  bool reached = false;
};
Fault nothing;
Fault* fault = &nothing;
const std::function<void()>* onlooker = nullptr;

// Ignores changes by the onlooker itself. Without an onlooker writes nothing, since several threads
// may write files.
void look() {
  if (onlooker == nullptr) return;
  if (const auto* const seeing = std::exchange(onlooker, nullptr)) {
    (*seeing)();
    onlooker = seeing;
  }
}

bool counts(const char* path) { return std::strstr(path, fault->of) != nullptr; }

bool counts(int file) {
  if (*fault->of == 0) return true;
  char path[PATH_MAX] = {};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  return readlink(link.c_str(), path, sizeof path - 1) > 0 && counts(path);
}

// `at`: the file's path, or its handle.
template <class At>
bool fails(At at, bool is_lock = false) {
  if (fault->of_locks != is_lock || !counts(at)) return false;
  if (fault->left == 0) return fault->lasts && fault->reached;
  if (--fault->left > 0) return false;
  fault->reached = true;
  if (fault->signal != 0) raise(fault->signal);
  return fault->signal == 0;
}

[[noreturn]] void die() {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

int failure() {
  if (fault->error == 0) die();
  errno = fault->error;
  return -1;
}

// A change that is not made at all when it fails.
template <class At, class Call>
int change(At at, Call call) {
  look();
  return fails(at) ? failure() : static_cast<int>(call());
}

// A write, of which half is done when it fails. `put(from, n)` writes n bytes.
template <class Put>
ssize_t change_half(int file, size_t size, Put put) {
  const size_t half = size / 2;
  if (onlooker != nullptr) {
    if (half > 0 && put(0, half) != static_cast<ssize_t>(half)) return -1;
    look();
    const ssize_t rest = put(half, size - half);
    return rest < 0 ? rest : rest + static_cast<ssize_t>(half);
  }
  if (!fails(file)) return put(0, size);
  if (half > 0) put(0, half);
  return failure();
}

// Only changes of files are counted, not the program's output, which tests read.
bool is_output(int file) { return file == STDOUT_FILENO || file == STDERR_FILENO; }

}  // namespace

// These replace libc's functions, also for SQLite's library.
extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
  if (is_output(file)) return syscall(SYS_write, file, bytes, size);
  return change_half(file, size, [&](size_t from, size_t n) {
    return syscall(SYS_write, file, static_cast<const char*>(bytes) + from, n);
  });
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  return change_half(file, size, [&](size_t from, size_t n) {
    return syscall(SYS_pwrite64, file, static_cast<const char*>(bytes) + from, n,
                   at + static_cast<off64_t>(from));
  });
}

int fsync(int file) {
  return change(file, [&] { return syscall(SYS_fsync, file); });
}

int fdatasync(int file) {
  return change(file, [&] { return syscall(SYS_fdatasync, file); });
}

int ftruncate64(int file, off64_t size) noexcept {
  return change(file, [&] { return syscall(SYS_ftruncate, file, size); });
}

int rename(const char* from, const char* to) noexcept {
  return change(from, [&] { return syscall(SYS_rename, from, to); });
}

int unlink(const char* path) noexcept {
  return change(path, [&] { return syscall(SYS_unlink, path); });
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  return change(path, [&] { return syscall(SYS_unlinkat, folder, path, flags); });
}

int mkdir(const char* path, mode_t mode) noexcept {
  return change(path, [&] { return syscall(SYS_mkdir, path, mode); });
}

int fcntl64(int file, int command, ...) {
  va_list more;
  va_start(more, command);
  void* const argument = va_arg(more, void*);
  va_end(more);
  const bool locks = command == F_SETLK || command == F_OFD_SETLK;
  if (locks && static_cast<const struct flock*>(argument)->l_type != F_UNLCK && fails(file, true))
    return failure();
  return static_cast<int>(syscall(SYS_fcntl, file, command, argument));
}

}  // extern "C"

namespace results {
namespace {

// Sets the fault for its lifetime, in memory shared with forked children.
class Wanted {
 public:
  explicit Wanted(const Fault& wanted) {
    void* const shared =
        mmap(nullptr, sizeof(Fault), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) throw std::runtime_error("no shared memory");
    fault = new (shared) Fault(wanted);
  }
  ~Wanted() { munmap(std::exchange(fault, &nothing), sizeof(Fault)); }
  Wanted(const Wanted&) = delete;
  Wanted& operator=(const Wanted&) = delete;
};

std::optional<int> status_with(const Fault& wanted, const std::function<int()>& work) {
  const Wanted here(wanted);
  const int status = work();
  return fault->reached ? std::optional(status) : std::nullopt;
}

[[noreturn]] void end_with(const std::function<void()>& work) {
  try {
    work();
    fault = &nothing;
    std::fflush(nullptr);
    _exit(0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    _exit(1);
  }
}

}  // namespace

bool killed_at(int n, const std::function<void()>& work) {
  const Wanted here({.left = n});
  const pid_t child = fork();
  if (child == 0) end_with(work);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) throw std::runtime_error("the work failed");
  return WIFSIGNALED(status);
}

void watch_changes(const std::function<void()>& each, const std::function<void()>& work) {
  const struct Watch {
    ~Watch() { onlooker = nullptr; }
  } watch;
  onlooker = &each;
  work();
}

std::optional<int> failing_at(int n, int error, bool lasts, const std::function<int()>& work,
                              const char* of) {
  return status_with({.left = n, .error = error, .lasts = lasts, .of = of}, work);
}

std::optional<int> refusing_locks_at(int n, bool lasts, const std::function<int()>& work,
                                     const char* of) {
  return status_with({.left = n, .error = EAGAIN, .lasts = lasts, .of_locks = true, .of = of},
                     work);
}

std::optional<int> signalled_at(int n, int signal, const std::function<int()>& work) {
  return status_with({.left = n, .signal = signal}, work);
}

}  // namespace results
