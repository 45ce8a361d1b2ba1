#include "runner/train/bench/contest.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/measure/peak_memory.h"
#include "runner/base/process/steady_time.h"

namespace runner {
namespace {

using at::Tensor;

// Evicts a device's caches by writing more than they hold; null: caches stay as they are.
std::function<void()> eviction(const ComputeDevice& device) {
  if (!device.gpu || device.evicted_bytes == 0) return {};
  const Tensor space =
      at::empty({device.evicted_bytes}, at::TensorOptions(at::kByte).device(device.memory));
  return [space] { space.zero_(); };
}

// Work that is timed repeatedly: on a GPU as a graph, several replays in a row.
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
    const double start = steady_seconds();
    work();
    return steady_seconds() - start;
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

// The output, then the gradients.
std::vector<Tensor> outcome_of(const Entrant& entrant, const ContestInputs& inputs) {
  std::vector<Tensor> all{entrant.run()};
  for (Tensor& gradient : gradients_of(inputs, all[0])) all.push_back(std::move(gradient));
  return all;
}

void compare(const std::vector<Entrant>& entrants, const ContestInputs& inputs,
             const ContestRules& rules, bool on_gpu, std::vector<Contestant>* contestants) {
  std::vector<Tensor> ours;
  for (std::size_t n = 0; n < entrants.size(); ++n) {
    Contestant& contestant = (*contestants)[n];
    if (!contestant.refusal.empty()) continue;
    std::vector<Tensor> theirs;
    try {
      const lcsm::PeakMemory memory;
      theirs = outcome_of(entrants[n], inputs);
      contestant.peak = on_gpu ? 0 : memory.peak();
    } catch (const c10::OutOfMemoryError&) {
      if (n == 0) throw;
      contestant.refusal = "it needs more memory than the GPU has";
      continue;
    }
    if (n == 0) ours = theirs;
    for (std::size_t t = 0; t < ours.size(); ++t) {
      const std::string tensor =
          t == 0 ? "the output" : "the gradient of '" + inputs.names[t - 1] + "'";
      contestant.difference =
          std::max(contestant.difference,
                   checked_difference(rules, tensor, contestant.name, ours[t], theirs[t]));
    }
  }
}

// The faster a contestant, the more often it runs, up to five times per round.
void take_turns(std::vector<Turn>& turns) {
  double slowest = 0;
  for (const Turn& turn : turns)
    if (!turn.contestant->both.empty()) slowest = std::max(slowest, turn.contestant->both.back());
  for (Turn& turn : turns) {
    const lcsm::Seconds& both = turn.contestant->both;
    const double times = both.empty() ? 1 : std::floor(slowest / both.back());
    for (int n = 0; n < std::clamp(times, 1.0, 5.0); ++n) turn.take();
  }
}

}  // namespace

std::vector<Tensor> gradients_of(const ContestInputs& inputs, const Tensor& y) {
  auto gradients =
      torch::autograd::grad({y}, inputs.leaves, {inputs.d_y}, std::nullopt, false, true);
  for (std::size_t n = 0; n < gradients.size(); ++n)
    if (!gradients[n].defined()) gradients[n] = at::zeros_like(inputs.leaves[n]);
  return gradients;
}

double checked_difference(const ContestRules& rules, const std::string& tensor,
                          const std::string& contestant, const Tensor& ours, const Tensor& theirs) {
  const Tensor a = ours.detach().to(at::kDouble), b = theirs.detach().to(at::kDouble);
  const double size = a.norm().item<double>(), off = (a - b).norm().item<double>();
  const double difference = off == 0 ? 0 : off / size;
  if (std::isfinite(size) && difference <= rules.tolerance) return difference;
  const std::string what =
      std::isfinite(size)
          ? fmt::format("{} of '{}' differs from ours by {:.2g} of its norm, expected at most {:g}",
                        tensor, contestant, difference, rules.tolerance)
          : tensor + " is not finite in our result";
  throw std::runtime_error(fmt::format("{}: {}; {}", rules.where, what, rules.definition));
}

std::vector<Contestant> contest(const std::vector<Entrant>& entrants, const ContestInputs& inputs,
                                const ContestRules& rules, const ComputeDevice& device) {
  std::vector<Contestant> contestants;
  for (const Entrant& each : entrants)
    contestants.push_back({each.name, {}, {}, 0, 0, each.refusal});
  compare(entrants, inputs, rules, device.gpu != nullptr, &contestants);
  const std::function<void()> evict = eviction(device);
  std::vector<Turn> turns;
  for (std::size_t n = 0; n < entrants.size(); ++n) {
    if (!contestants[n].refusal.empty()) continue;
    const Entrant& entrant = entrants[n];
    turns.push_back(
        {&contestants[n],
         {device.gpu.get(),
          [&entrant] {
            const at::NoGradGuard none;
            entrant.run();
          },
          evict},
         {device.gpu.get(), [&entrant, &inputs] { outcome_of(entrant, inputs); }, evict}});
  }
  const double start = steady_seconds();
  for (int round = 0; round < 3 || steady_seconds() - start < rules.budget; ++round)
    take_turns(turns);
  return contestants;
}

}  // namespace runner
