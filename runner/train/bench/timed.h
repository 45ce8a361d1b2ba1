// Callables that are timed in turns.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "lcsm/kernel/gpu.h"
#include "runner/train/bench/bench_eos_case.h"
#include "runner/train/device/device.h"

namespace runner {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
};

// Writes more than the caches of a device hold; null where they stay as they are.
inline std::function<void()> eviction(const ComputeDevice& device) {
  if (!device.gpu || device.evicted_bytes == 0) return {};
  const at::Tensor space =
      at::empty({device.evicted_bytes}, at::TensorOptions(at::kByte).device(device.memory));
  return [space] { space.zero_(); };
}

// A piece of work that is timed repeatedly: on a GPU as a graph, several replays in a row.
class Timed {
 public:
  Timed(lcsm::Gpu* gpu, std::function<void()> work, std::function<void()> evict)
      : gpu_(gpu), work_(std::move(work)), evict_(std::move(evict)) {}

  double seconds() {
    if (gpu_ == nullptr) return seconds_of(work_);
    if (!graph_) {
      work_();  // loads kernels, plans and memory, which a graph must find ready
      graph_ = ready(work_);
    }
    return of_replays(*graph_);
  }

  bool evicts() const { return evict_ != nullptr; }
  // Time with cold caches: the time to empty them and work, minus the time to empty them.
  double cold_seconds() {
    if (!cold_) {
      emptying_ = ready(evict_);
      cold_ = ready([this] {
        evict_();
        work_();
      });
    }
    const double both = of_replays(*cold_);
    return both - of_replays(*emptying_);
  }

 private:
  static constexpr int kReplays = 10;

  std::unique_ptr<lcsm::DeviceGraph> ready(const std::function<void()>& work) const {
    wait();
    std::unique_ptr<lcsm::DeviceGraph> graph = gpu_->graph();
    graph->capture(work);
    graph->replay();
    wait();
    return graph;
  }
  double of_replays(lcsm::DeviceGraph& graph) const {
    return seconds_of([&] {
             for (int n = 0; n < kReplays; ++n) graph.replay();
             wait();
           }) /
           kReplays;
  }
  static double seconds_of(const std::function<void()>& work) {
    const Stopwatch watch;
    work();
    return watch.seconds();
  }
  void wait() const { gpu_->check(gpu_->driver().finish(gpu_->stream()), "wait for a bench"); }

  lcsm::Gpu* const gpu_;
  const std::function<void()> work_, evict_;
  std::unique_ptr<lcsm::DeviceGraph> graph_, cold_, emptying_;
};

// A contestant's passes.
struct Turn {
  Contestant* contestant;
  Timed forward, both;
  void take() {
    contestant->forward.push_back(forward.seconds());
    contestant->both.push_back(both.seconds());
    if (!both.evicts()) return;
    contestant->forward_cold.push_back(forward.cold_seconds());
    contestant->both_cold.push_back(both.cold_seconds());
  }
};

}  // namespace runner
