// Compares the contestants, then times them in turns.
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lcsm/code/plan.h"
#include "lcsm/machines/scan_op.h"
#include "lcsm/measure/peak_memory.h"
#include "lcsm/measure/timing.h"
#include "lcsm/tape/lowering.h"
#include "runner/train/bench/bench_eos_case.h"
#include "runner/train/bench/bench_peers.h"
#include "runner/train/bench/timed.h"

namespace runner {

using at::Tensor;

namespace {

struct Outcome {
  Tensor y;
  std::vector<Tensor> gradients;
};

class Contest {
 public:
  Contest(const std::string& code, const lcsm::Variant& v, const BenchShape& shape,
          at::ScalarType dtype, const ComputeDevice& device)
      : v_(v),
        dtype_(dtype),
        device_(device),
        case_(make_case(v, shape, dtype, device)),
        evict_(eviction(device)) {
    result_.code = code;
    result_.shape = shape;
    result_.bytes = case_.bytes();
    add("ours",
        [gpu = device.gpu, ours = lcsm::Recurrence(v)](
            const lcsm::Variant&, const lcsm::RecurrenceInputs& in) { return ours(in, gpu).y; });
    for (const Peer& peer : peers_of(v)) {
      add(peer.name, peer.run);
      result_.contestants.back().refusal = peer.refusal(v, case_.inputs);
    }
  }

  BenchResult run(double budget) {
    compare();
    for (std::size_t n = 0; n < runs_.size(); ++n) turns_.push_back(turn_of(n));
    const Stopwatch watch;
    for (int round = 0; round < 3 || watch.seconds() < budget; ++round) take_turns();
    return std::move(result_);
  }

 private:
  using Run = decltype(Peer::run);

  void add(const std::string& name, const Run& run) {
    result_.contestants.push_back({name, {}, {}, 0, 0, ""});
    runs_.push_back(run);
  }

  Turn turn_of(std::size_t n) {
    const Run& run = runs_[n];
    return {&result_.contestants[n],
            {device_.gpu.get(),
             [this, &run] {
               const at::NoGradGuard none;
               run(v_, case_.inputs);
             },
             evict_},
            {device_.gpu.get(), [this, &run] { outcome(run); }, evict_}};
  }

  Outcome outcome(const Run& run) const {
    Outcome outcome{run(v_, case_.inputs), {}};
    outcome.gradients = gradients_of(case_, outcome.y);
    return outcome;
  }

  void compare() {
    Outcome ours;
    for (std::size_t n = 0; n < runs_.size(); ++n) {
      Contestant& contestant = result_.contestants[n];
      if (!contestant.refusal.empty()) continue;
      Outcome theirs;
      try {
        const lcsm::PeakMemory memory;
        theirs = outcome(runs_[n]);
        contestant.peak = device_.gpu ? 0 : memory.peak();
      } catch (const c10::OutOfMemoryError&) {
        if (n == 0) throw;
        contestant.refusal = "it needs more memory than the GPU has";
        continue;
      }
      if (n == 0) ours = theirs;
      const auto check = [&](const std::string& tensor, const Tensor& a, const Tensor& b) {
        contestant.difference =
            std::max(contestant.difference,
                     checked_difference(result_, dtype_, tensor, contestant.name, a, b));
      };
      check("the output", ours.y, theirs.y);
      for (std::size_t g = 0; g < case_.names.size(); ++g)
        check("the gradient of '" + case_.names[g] + "'", ours.gradients[g], theirs.gradients[g]);
    }
  }

  // The faster a contestant, the more often it runs, up to five times per round.
  void take_turns() {
    double slowest = 0;
    for (const Contestant& c : result_.contestants)
      if (!c.both.empty()) slowest = std::max(slowest, c.both.back());
    for (Turn& turn : turns_) {
      const Contestant& c = *turn.contestant;
      if (!c.refusal.empty()) continue;
      const double turns = c.both.empty() ? 1 : std::floor(slowest / c.both.back());
      for (int n = 0; n < std::clamp(turns, 1.0, 5.0); ++n) turn.take();
    }
  }

  const lcsm::Variant& v_;
  const at::ScalarType dtype_;
  const ComputeDevice& device_;
  const BenchCase case_;
  const std::function<void()> evict_;
  std::vector<Run> runs_;    // parallel to result_.contestants
  std::vector<Turn> turns_;  // parallel to the contestants
  BenchResult result_;
};

}  // namespace

double checked_difference(const BenchResult& of, at::ScalarType dtype, const std::string& tensor,
                          const std::string& contestant, const Tensor& ours, const Tensor& theirs) {
  const Tensor a = ours.detach().to(at::kDouble), b = theirs.detach().to(at::kDouble);
  const double size = a.norm().item<double>(), off = (a - b).norm().item<double>();
  const double difference = off == 0 ? 0 : off / size, most = tolerance_of(dtype);
  if (std::isfinite(size) && difference <= most) return difference;
  const std::string what =
      std::isfinite(size)
          ? fmt::format("{} of '{}' differs from ours by {:.2g} of its norm, expected at most {:g}",
                        tensor, contestant, difference, most)
          : tensor + " is not finite in our result";
  throw std::runtime_error(fmt::format(
      "bench eos: {} at {},{},{},{} in {}: {}; 'lcsm-train apply' computes the definition", of.code,
      of.shape.B, of.shape.T, of.shape.sizes.d, of.shape.sizes.k, c10::toString(dtype), what));
}

// Summing over T, K and D in a different order changes float32 results by 1e-6 of their norm; the
// summed logarithms of a running softmax and the summed angles of a rotation by 3e-5 at T = 1024,
// and more for longer T. bfloat16 rounds results to 8 bits, a relative error of at most 2^-8.
double tolerance_of(at::ScalarType dtype) {
  return dtype == at::kDouble ? 1e-9 : dtype == at::kFloat ? 1e-3 : 4e-3;
}

std::optional<double> function_seconds(const lcsm::Variant& variant, const BenchShape& shape,
                                       at::ScalarType dtype, double budget) {
  const lcsm::Plan plan = lcsm::plan_of(variant);
  if (plan.machine != lcsm::Machine::kScan) return std::nullopt;
  const lcsm::Tape tape = lcsm::tape_of_gate(variant);
  if (tape.gate.empty()) return std::nullopt;
  const std::int64_t cells = shape.B * shape.T * shape.sizes.k * shape.sizes.d;
  const auto times = lcsm::time_each(
      budget, [&] { lcsm::run_gate_functions(tape, lcsm::state_dtype(dtype), cells); });
  return *std::min_element(times.begin(), times.end());
}

BenchResult bench_case(const std::string& code, const lcsm::Variant& variant,
                       const BenchShape& shape, at::ScalarType dtype, double budget,
                       const ComputeDevice& device) {
  BenchResult result = Contest(code, variant, shape, dtype, device).run(budget);
  if (!device.gpu) result.gate_functions = function_seconds(variant, shape, dtype, budget / 5);
  return result;
}

}  // namespace runner
