// A free long kernel over a batch, forward and backward, against the usual way to write it with
// LibTorch: rfft at twice the length, product, irfft, under autograd.
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/fft_irfft.h>
#include <ATen/ops/fft_rfft.h>
#include <ATen/ops/randn.h>
#include <benchmark/benchmark.h>
#include <torch/csrc/autograd/autograd.h>

#include "ets/machines/machines.h"

namespace {

using at::Tensor;

Tensor usual(const Tensor& x, const Tensor& taps) {
  const std::int64_t T = x.size(1);
  const Tensor in = at::fft_rfft(x.transpose(1, 2), 2 * T), k = at::fft_rfft(taps[0], 2 * T);
  return at::fft_irfft(in * k, 2 * T).narrow(-1, 0, T).transpose(1, 2);
}

Tensor ours(const Tensor& x, const Tensor& taps) {
  ets::Filter filter;
  filter.kernel = ets::Taps{taps};
  return ets::filtered_cpu(filter, x).y;
}

void run(benchmark::State& state, Tensor (*convolve)(const Tensor&, const Tensor&)) {
  const std::int64_t B = state.range(0), T = state.range(1), D = state.range(2);
  const Tensor x = at::randn({B, T, D}).requires_grad_(),
               taps = (at::randn({1, D, T}) * 0.01).requires_grad_(), d = at::randn({B, T, D});
  for (auto _ : state) {
    const Tensor y = convolve(x, taps);
    if (state.range(3) == 0)
      benchmark::DoNotOptimize(y.data_ptr());
    else
      benchmark::DoNotOptimize(torch::autograd::grad({y}, {x, taps}, {d})[0].data_ptr());
  }
}
void UsualFft(benchmark::State& state) { run(state, usual); }
void FftConv(benchmark::State& state) { run(state, ours); }

void shapes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"B", "T", "D", "backward"})->Unit(benchmark::kMillisecond)->UseRealTime();
  for (const std::int64_t backward : {0, 1})
    for (const std::int64_t T : {1024, 4096, 16384})
      bench->Args({T == 16384 ? 4 : 16, T, 512, backward});
}
BENCHMARK(UsualFft)->Apply(shapes);
BENCHMARK(FftConv)->Apply(shapes);

}  // namespace
