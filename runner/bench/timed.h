// What contests time, in turns.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "lcsm/kernel/gpu.h"
#include "runner/bench/bench_eos_case.h"

namespace runner {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
};

// A piece of work, timed again and again: on a GPU the graph of it, several replays in a row.
class Timed {
 public:
  Timed(lcsm::Gpu* gpu, std::function<void()> work) : gpu_(gpu), work_(std::move(work)) {}

  double seconds() {
    if (gpu_ == nullptr) return seconds_of(work_);
    if (!graph_) {
      work_();  // loads kernels, plans and memory, which a graph must find ready
      wait();
      graph_ = gpu_->graph();
      graph_->capture(work_);
      graph_->replay();
      wait();
    }
    return seconds_of([this] {
             for (int n = 0; n < kReplays; ++n) graph_->replay();
             wait();
           }) /
           kReplays;
  }

 private:
  static constexpr int kReplays = 10;

  static double seconds_of(const std::function<void()>& work) {
    const Stopwatch watch;
    work();
    return watch.seconds();
  }
  void wait() const { gpu_->check(gpu_->driver().finish(gpu_->stream()), "wait for a bench"); }

  lcsm::Gpu* const gpu_;
  const std::function<void()> work_;
  std::unique_ptr<lcsm::DeviceGraph> graph_;
};

// A contestant's passes.
struct Turn {
  Contestant* contestant;
  Timed forward, both;
  void take() {
    contestant->forward.push_back(forward.seconds());
    contestant->both.push_back(both.seconds());
  }
};

}  // namespace runner
