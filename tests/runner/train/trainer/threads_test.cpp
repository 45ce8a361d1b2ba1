#include "runner/train/trainer/threads.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

// Runs in a child whose threads must share 30 MB more than this process has: at most three stacks.
int status_with_little_room() {
  const pid_t child = fork();
  if (child == 0) {
    const rlim_t pages = std::stoull(read_file("/proc/self/statm"));
    const rlim_t bytes = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + 30'000'000;
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    try {
      use_threads(20);
    } catch (const std::runtime_error& error) {
      const std::string text = error.what();
      _exit(text.starts_with("expected to start 38 threads, the host allows ") ? 0 : 1);
    }
    _exit(2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

}  // namespace

TEST(Threads, AreUsedWhereTheHostAllowsThem) {
  const int before = at::get_num_threads();
  use_threads(2);
  EXPECT_EQ(at::get_num_threads(), 2);
  use_threads(before);
}

TEST(Threads, MoreThanTheHostAllowsAreRefused) { EXPECT_EQ(status_with_little_room(), 0); }

}  // namespace runner
