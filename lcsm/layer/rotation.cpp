#include "lcsm/layer/rotation.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/sin.h>

#include <cstdint>
#include <numbers>

namespace lcsm {

using at::Tensor;

Rotation::Rotation(const Tensor& angle, const Tensor& like) {
  const bool by_sequence = angle.dim() == 3 && angle.size(0) != 1;
  const Tensor each = angle.expand({by_sequence ? like.size(0) : 1, like.size(1), like.size(2)});
  const Tensor total = at::remainder(at::cumsum(each, 1), 2 * std::numbers::pi);
  cos_ = at::cos(total).to(like.scalar_type());
  sin_ = at::sin(total).to(like.scalar_type());
}

Tensor Rotation::of(const Tensor& x) const { return at::cat({x * cos_, x * sin_}, 2); }

Tensor Rotation::entered(const Tensor& first) {
  const std::int64_t K = first.size(1) / 2;
  return at::cat({first.narrow(1, 0, K), -first.narrow(1, K, K)}, 1);
}

Tensor Rotation::left(const Tensor& last) const {
  const std::int64_t K = last.size(1) / 2, end = cos_.size(1) - 1;
  const Tensor c = cos_.select(1, end).unsqueeze(2), s = sin_.select(1, end).unsqueeze(2);
  const Tensor re = last.narrow(1, 0, K), im = last.narrow(1, K, K);
  return at::cat({c * re + s * im, s * re - c * im}, 1);
}

}  // namespace lcsm
