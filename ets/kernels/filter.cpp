#include "ets/kernels/filter.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/real.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace ets {
namespace {

using at::Tensor;

// Computed in float64, since an angle of many turns loses precision in float32.
Tensor values_of(const Modes& modes, std::int64_t T) {
  const at::ScalarType dtype = modes.weight.scalar_type();
  const auto wide = [](const Tensor& part) { return part.to(at::kDouble).unsqueeze(-1); };
  Tensor t = at::arange(T, modes.weight.options().dtype(at::kDouble));
  if (modes.origin.defined()) t = t - wide(modes.origin);
  const Tensor size = at::exp(t * wide(modes.log_decay));
  if (!modes.angle.defined()) return (wide(modes.weight) * size).sum(-2).to(dtype);
  const Tensor angle = t * wide(modes.angle);
  Tensor wave = wide(modes.weight) * at::cos(angle);
  if (modes.weight_imag.defined()) wave = wave - wide(modes.weight_imag) * at::sin(angle);
  return (size * wave).sum(-2).to(dtype);
}

Tensor values_of(const Taps& taps, std::int64_t T) {
  const std::int64_t known = taps.values.size(-1);
  return known >= T ? taps.values.narrow(-1, 0, T)
                    : at::constant_pad_nd(taps.values, {0, T - known});
}

Tensor values_of(const StateSpace& s, std::int64_t T) {
  std::vector<Tensor> values;
  Tensor h = s.b;
  for (std::int64_t t = 0; t < T; ++t) {
    values.push_back(at::real((s.c * h).sum(-1)));
    h = at::matmul(s.a, h.unsqueeze(-1)).squeeze(-1);
  }
  return at::stack(values, -1);
}

Tensor values_of(const SharedModes&, std::int64_t) {
  throw std::invalid_argument(
      "kernel: expected one kernel per channel, got a state that all channels share, which has "
      "none");
}

}  // namespace

Tensor taps_of(const Filter& filter, std::int64_t T) {
  const std::int64_t K = filter.truncation > 0 ? std::min(filter.truncation, T) : T;
  const Tensor values =
      std::visit([&](const auto& kernel) { return values_of(kernel, K); }, filter.kernel);
  return K == T ? values : at::constant_pad_nd(values, {0, T - K});
}

Tensor complex_of(const Tensor& parts) {
  // An empty tensor is contiguous whatever its strides are.
  return at::view_as_complex(parts.numel() > 0 ? parts.contiguous()
                                               : at::zeros(parts.sizes(), parts.options()));
}

}  // namespace ets
