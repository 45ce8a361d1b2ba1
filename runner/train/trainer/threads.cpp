#include "runner/train/trainer/threads.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace runner {
namespace {

// LibTorch's pool and OpenMP's team, each with one thread less than it has members.
int made_for(int count) { return 2 * (count - 1); }

// How many of the `wanted` threads can exist at once.
int possible_threads(int wanted) {
  std::mutex gate;
  std::vector<std::jthread> threads;  // end once the gate opens
  const std::lock_guard closed(gate);
  try {
    for (int i = 0; i < wanted; ++i)
      threads.emplace_back([&] { const std::lock_guard open(gate); });
  } catch (const std::system_error&) {
    // the limit
  }
  return static_cast<int>(threads.size());
}

}  // namespace

void use_threads(int count) {
  const int wanted = made_for(count), possible = possible_threads(wanted);
  if (possible < wanted)
    throw std::runtime_error(fmt::format(
        "expected to start {} threads, the host allows {}: lower run.threads from {} to {}, or "
        "raise the limit on processes (ulimit -u, or that of the control group)",
        wanted, possible, count, 1 + possible / 2));
  at::set_num_threads(count);
}

}  // namespace runner
