#include <ATen/TensorOperators.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/fft_irfft.h>
#include <ATen/ops/fft_rfft.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/real.h>
#include <ATen/ops/zeros.h>

#include "ets/machines/machines.h"

namespace ets {
namespace {

using at::Tensor;

// The circular kernel of n = 2T: k at lags 0 .. T-1, k' at -lag, -lag - 1, ...
Tensor circular(const Tensor& taps, std::int64_t lag) {
  const std::int64_t T = taps.size(-1);
  const Tensor first = at::constant_pad_nd(taps.select(0, 0), {0, T});
  if (taps.size(0) == 1) return first;
  const Tensor back = at::constant_pad_nd(taps.select(0, 1).flip(-1), {T, 0});
  return first + (lag == 1 ? back : back.roll(1, -1));
}

Tensor convolved(const Tensor& x, const Tensor& kernel) {
  const std::int64_t T = x.size(1), n = 2 * T;
  const Tensor in = at::fft_rfft(x.transpose(1, 2), n);
  return at::fft_irfft(in * at::fft_rfft(kernel, n), n).narrow(-1, 0, T).transpose(1, 2);
}

}  // namespace

FilterResult filtered_cpu(const Filter& filter, const Tensor& x) {
  const auto* shared = std::get_if<SharedModes>(&filter.kernel);
  if (shared != nullptr || std::holds_alternative<StateSpace>(filter.kernel))
    return filtered_reference(filter, x);
  const Tensor taps = taps_of(filter, x.size(1));
  Tensor y = convolved(x, circular(taps, filter.backward_lag));
  if (filter.normalized) y = y / at::cumsum(taps.select(0, 0), -1).t();
  return {y, {}};
}

}  // namespace ets
