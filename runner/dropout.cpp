#include "runner/dropout.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/empty.h>

#include "lcsm/recurrence.h"

namespace runner {

using at::Tensor;

Tensor Dropout::operator()(const Tensor& x, double share) {
  return drops(share) ? x * mask(x, share) : x;
}

Tensor Dropout::add(const Tensor& residual, const Tensor& x, double share) {
  return drops(share) ? at::addcmul(residual, x, mask(x, share)) : residual + x;
}

Tensor Dropout::mask(const Tensor& x, double share) {
  const at::TensorOptions options = x.options().dtype(lcsm::state_dtype(x.scalar_type()));
  return at::empty(x.sizes(), options).bernoulli_(1 - share, generator_).div_(1 - share);
}

}  // namespace runner
