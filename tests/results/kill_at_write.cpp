#include "tests/results/kill_at_write.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

namespace {

int left = 0;  // changes until the end; 0: nobody is to be killed

bool is_last() { return left > 0 && --left == 0; }

[[noreturn]] void die() {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

void count() {
  if (is_last()) die();
}

}  // namespace

// The program's own functions stand in front of libc's, for SQLite's library too.
extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
  const bool last = is_last();
  const ssize_t done = syscall(SYS_write, file, bytes, last ? size / 2 : size);
  if (last) die();
  return done;
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  const bool last = is_last();
  const ssize_t done = syscall(SYS_pwrite64, file, bytes, last ? size / 2 : size, at);
  if (last) die();
  return done;
}

int fsync(int file) {
  count();
  return static_cast<int>(syscall(SYS_fsync, file));
}

int fdatasync(int file) {
  count();
  return static_cast<int>(syscall(SYS_fdatasync, file));
}

int ftruncate64(int file, off64_t size) noexcept {
  count();
  return static_cast<int>(syscall(SYS_ftruncate, file, size));
}

int rename(const char* from, const char* to) noexcept {
  count();
  return static_cast<int>(syscall(SYS_rename, from, to));
}

int unlink(const char* path) noexcept {
  count();
  return static_cast<int>(syscall(SYS_unlink, path));
}

}  // extern "C"

namespace results {

bool killed_at(int n, const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      left = n;
      work();
      left = 0;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) throw std::runtime_error("the work failed");
  return WIFSIGNALED(status);
}

}  // namespace results
