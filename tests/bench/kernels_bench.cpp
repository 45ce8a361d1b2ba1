// Times kernels of long convolutions and the scan of S5, forward and backward, beside their
// definitions in tensor operations, and counts the peak memory of each.
#include <ATen/TensorOperators.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randn_like.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>
#include <benchmark/benchmark.h>
#include <torch/csrc/autograd/autograd.h>

#include "ets/kernels/cauchy.h"
#include "ets/kernels/vandermonde.h"
#include "ets/machines/machines.h"
#include "lcsm/measure/peak_memory.h"

namespace {

using at::Tensor;

ets::Filter modes(std::int64_t D, std::int64_t M) {
  ets::Filter filter;
  filter.kernel = ets::Modes{(-0.1 * at::randn({1, D, M}).abs()).requires_grad_(),
                             at::randn({1, D, M}).requires_grad_(),
                             at::randn({1, D, M}).requires_grad_(),
                             at::randn({1, D, M}).requires_grad_(),
                             {}};
  return filter;
}

// Time and memory of y = work() and its gradients.
template <class Work>
void run(benchmark::State& state, const std::vector<Tensor>& inputs, const Work& work) {
  const auto once = [&] {
    const Tensor y = work();
    return torch::autograd::grad({y}, inputs, {at::randn_like(y)}, {}, false, true);
  };
  {
    const lcsm::PeakMemory memory;
    once();
    state.counters["MB"] = static_cast<double>(memory.peak()) / 1e6;
  }
  for (auto _ : state) benchmark::DoNotOptimize(once());
}

void run_modes(benchmark::State& state, Tensor (*taps)(const ets::Filter&, std::int64_t)) {
  const ets::Filter filter = modes(state.range(0), state.range(1));
  const auto& m = std::get<ets::Modes>(filter.kernel);
  run(state, {m.log_decay, m.angle, m.weight, m.weight_imag},
      [&] { return taps(filter, state.range(2)); });
}
void ModesFormula(benchmark::State& state) { run_modes(state, ets::taps_of); }
void Vandermonde(benchmark::State& state) {
  run_modes(state,
            [](const ets::Filter& filter, std::int64_t T) { return ets::fast_taps_of(filter, T); });
}

void run_cauchy(benchmark::State& state,
                Tensor (*sums)(const Tensor&, const Tensor&, std::int64_t)) {
  const std::int64_t D = state.range(0), M = state.range(1);
  const Tensor v = at::randn({4, D, M}, at::kComplexFloat).requires_grad_(),
               rates = (at::randn({D, M}, at::kComplexFloat) - 5).requires_grad_();
  run(state, {v, rates}, [&] { return at::view_as_real(sums(v, rates, state.range(2))); });
}
void CauchyFormula(benchmark::State& state) { run_cauchy(state, ets::cauchy_formula); }
void CauchySums(benchmark::State& state) {
  run_cauchy(state, [](const at::Tensor& v, const at::Tensor& rates, std::int64_t L) {
    return ets::cauchy_sums(v, rates, L);
  });
}

// Times one state with many inputs and outputs.
void run_shared(benchmark::State& state, ets::FilterMachine machine) {
  const std::int64_t D = state.range(0), M = state.range(1), T = state.range(2);
  const Tensor rate = (-0.1 * at::randn({M}).abs()).requires_grad_(),
               angle = at::randn({M}).requires_grad_(),
               expand = at::randn({M, D, 2}).requires_grad_(),
               shrink = at::randn({1, D, M, 2}).requires_grad_(),
               x = at::randn({4, T, D}).requires_grad_();
  run(state, {rate, angle, expand, shrink, x}, [&] {
    ets::Filter filter;
    filter.kernel =
        ets::SharedModes{rate, angle, at::view_as_complex(expand), at::view_as_complex(shrink)};
    return ets::filtered(machine, filter, x).y;
  });
}
void SharedLoop(benchmark::State& state) { run_shared(state, ets::FilterMachine::kReference); }
void SharedModes(benchmark::State& state) { run_shared(state, ets::FilterMachine::kFastest); }

void shapes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"D", "M", "T"})->Unit(benchmark::kMillisecond)->UseRealTime();
  bench->Args({512, 32, 4096});
}
BENCHMARK(ModesFormula)->Apply(shapes);
BENCHMARK(Vandermonde)->Apply(shapes);
BENCHMARK(CauchyFormula)->Apply(shapes);
BENCHMARK(CauchySums)->Apply(shapes);
// The loop's backward grows with the square of T.
BENCHMARK(SharedLoop)
    ->ArgNames({"D", "M", "T"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Args({256, 64, 512});
BENCHMARK(SharedModes)->Apply(shapes)->Args({256, 64, 512});

}  // namespace
