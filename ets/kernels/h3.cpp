// The shift state space: K_t = sum over n of C_{n+t} B_n for t < N, C = shrink, B = expand.
#include <ATen/TensorOperators.h>
#include <ATen/ops/constant_pad_nd.h>

#include "ets/kernels/kernels.h"

namespace ets {

Filter shift_filter(const lcsm::Weights& weights) {
  const at::Tensor B = weights.at("shift.expand"), C = weights.at("shift.shrink");
  const std::int64_t N = B.size(1);
  const at::Tensor windows = at::constant_pad_nd(C, {0, N - 1}).unfold(1, N, 1);  // [D, t, n]
  Filter filter;
  filter.kernel = Taps{(windows * B.unsqueeze(1)).sum(-1).unsqueeze(0)};
  return filter;
}

}  // namespace ets
