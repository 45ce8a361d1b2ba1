// Kernels of long convolutions, forward and backward, against their definitions in tensor
// operations; each also counts the most memory it takes.
#include <ATen/TensorOperators.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randn_like.h>
#include <benchmark/benchmark.h>
#include <torch/csrc/autograd/autograd.h>

#include "ets/kernels/vandermonde.h"
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
void Vandermonde(benchmark::State& state) { run_modes(state, ets::fast_taps_of); }

void shapes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"D", "M", "T"})->Unit(benchmark::kMillisecond)->UseRealTime();
  bench->Args({512, 32, 4096});
}
BENCHMARK(ModesFormula)->Apply(shapes);
BENCHMARK(Vandermonde)->Apply(shapes);

}  // namespace
