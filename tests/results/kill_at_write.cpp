#include "tests/results/kill_at_write.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>

namespace {

// What happens at the change that brings `left` to 0.
struct Fault {
  int left = 0;   // changes until then; 0: no fault
  int error = 0;  // 0: the process is killed
  bool lasts = false;
  int signal = 0;           // raised instead
  bool* reached = nullptr;  // in memory shared by parent and child
};
Fault fault;

[[noreturn]] void die() {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

bool is_hit() {
  if (fault.left == 0) return fault.lasts && fault.reached != nullptr && *fault.reached;
  if (--fault.left > 0) return false;
  *fault.reached = true;
  if (fault.signal != 0) raise(fault.signal);
  return fault.signal == 0;
}

// A change that is not done if the fault hits it.
template <class Call>
int change(Call call) {
  if (!is_hit()) return static_cast<int>(call());
  if (fault.error == 0) die();
  errno = fault.error;
  return -1;
}

// A write that is half done if the fault hits it.
template <class Call>
ssize_t change_half(size_t size, Call call) {
  if (!is_hit()) return call(size);
  if (size / 2 > 0) call(size / 2);
  if (fault.error == 0) die();
  errno = fault.error;
  return -1;
}

// Only changes of files are counted, not the program's output, which tests read.
bool is_output(int file) { return file == STDOUT_FILENO || file == STDERR_FILENO; }

}  // namespace

// These replace libc's functions, for SQLite's library too.
extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
  if (is_output(file)) return syscall(SYS_write, file, bytes, size);
  return change_half(size, [&](size_t n) { return syscall(SYS_write, file, bytes, n); });
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  return change_half(size, [&](size_t n) { return syscall(SYS_pwrite64, file, bytes, n, at); });
}

int fsync(int file) {
  return change([&] { return syscall(SYS_fsync, file); });
}

int fdatasync(int file) {
  return change([&] { return syscall(SYS_fdatasync, file); });
}

int ftruncate64(int file, off64_t size) noexcept {
  return change([&] { return syscall(SYS_ftruncate, file, size); });
}

int rename(const char* from, const char* to) noexcept {
  return change([&] { return syscall(SYS_rename, from, to); });
}

int unlink(const char* path) noexcept {
  return change([&] { return syscall(SYS_unlink, path); });
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  return change([&] { return syscall(SYS_unlinkat, folder, path, flags); });
}

int mkdir(const char* path, mode_t mode) noexcept {
  return change([&] { return syscall(SYS_mkdir, path, mode); });
}

}  // extern "C"

namespace results {
namespace {

struct Ended {
  int status = 0;
  bool reached = false;
};

Ended run_with(Fault wanted, const std::function<int()>& work) {
  void* const shared =
      mmap(nullptr, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::runtime_error("no shared memory");
  wanted.reached = new (shared) bool(false);
  const pid_t child = fork();
  if (child == 0) {
    try {
      fault = wanted;
      const int result = work();
      fault = {};
      std::fflush(nullptr);
      _exit(result);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(1);
    }
  }
  Ended ended;
  waitpid(child, &ended.status, 0);
  ended.reached = *wanted.reached;
  munmap(shared, sizeof(bool));
  return ended;
}

std::optional<int> status_of(const Ended& ended) {
  if (!ended.reached) return std::nullopt;
  if (!WIFEXITED(ended.status)) throw std::runtime_error("the work was killed");
  return WEXITSTATUS(ended.status);
}

}  // namespace

bool killed_at(int n, const std::function<void()>& work) {
  const Ended ended = run_with({n}, [&] { return work(), 0; });
  if (WIFEXITED(ended.status) && WEXITSTATUS(ended.status) != 0)
    throw std::runtime_error("the work failed");
  return WIFSIGNALED(ended.status);
}

std::optional<int> failing_at(int n, int error, bool lasts, const std::function<int()>& work) {
  return status_of(run_with({n, error, lasts}, work));
}

std::optional<int> signalled_at(int n, int signal, const std::function<int()>& work) {
  return status_of(run_with({n, 0, false, signal}, work));
}

}  // namespace results
