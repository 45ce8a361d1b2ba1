// S4++, by the numbers of its paper's equations:
//   (18, 19)  m = drop(S4+(x)), the filter
//   (20 - 22) q = silu(W_q x), k = silu(W_k m), v = silu(W_v x)
//   (23)      o = A v, A of attention.h, f = 1 / sqrt(d)
//   (24 - 26) h = drop(silu(W_h (silu(W_r m) o) + W_s m))
//   (27, 28)  u = sigmoid(W_u m), y = u (h - residual)
#pragma once

#include "ets/layer/layer.h"

namespace ets {

lcsm::BlockResult s4pp_forward(const lcsm::Block& variant, const lcsm::Weights& weights,
                               const at::Tensor& x, const FilterContext& context);

}  // namespace ets
