#include "lcsm/tensors/short_conv.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>

namespace lcsm {
namespace {

using at::Tensor;

Tensor with_before(const Tensor& x, std::int64_t taps, const Tensor& before) {
  return at::cat(
      {before.defined() ? before : at::zeros({x.size(0), taps - 1, x.size(2)}, x.options()), x}, 1);
}

}  // namespace

Tensor short_conv(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& before) {
  const std::int64_t T = x.size(1), taps = weight.size(1);
  const Tensor all = with_before(x, taps, before);
  Tensor y = bias;
  for (std::int64_t j = 0; j < taps; ++j) {
    const Tensor term = all.narrow(1, taps - 1 - j, T) * weight.select(1, j);
    y = y.defined() ? y + term : term;
  }
  return y;
}

Tensor short_conv_state(const Tensor& x, std::int64_t taps, const Tensor& before) {
  return with_before(x, taps, before).narrow(1, x.size(1), taps - 1);
}

}  // namespace lcsm
