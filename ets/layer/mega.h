// The gated attention of MEGA:
//   v = silu(W_v x), m = drop(EMA(x)), [u, (z, r), h'] = W_m m,
//   u a sigmoid, z and r through silu, q = scale_0 z + shift_0, k = scale_1 z + shift_1,
//   y = u (drop(silu(h' + W_h (r A v))) - residual), A of attention.h, f = 1 / sqrt(width of z).
#pragma once

#include "ets/layer/layer.h"

namespace ets {

lcsm::BlockResult mega_forward(const lcsm::Block& variant, const lcsm::Weights& weights,
                               const at::Tensor& x, const FilterContext& context);

}  // namespace ets
