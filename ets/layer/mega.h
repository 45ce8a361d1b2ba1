// The gated attention of MEGA:
//   v = silu(W_v x), m = drop(EMA(x)), [u, (z, r), h'] = W_m m,
//   u a sigmoid, z and r through silu, q = scale_0 z + shift_0, k = scale_1 z + shift_1,
//   y = u (drop(silu(h' + W_h (r A v))) - residual).
// A of a chunk of c steps, i and j within it, b the bias of j - i, n the number of its real steps:
//   softmax over j of q_i k_j / sqrt(width of z) + b
//   relu(s)^2, or (1 + erf((s - 0.707107) / (0.282095 sqrt(2)))) / 2, of s = q_i k_j / n + b;
//   causal: i + 1 for n
#pragma once

#include "ets/layer/layer.h"

namespace ets {

LayerResult mega_forward(const Variant& variant, const Weights& weights, const at::Tensor& x,
                         const Context& context);

}  // namespace ets
