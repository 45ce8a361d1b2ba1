// ETSMLP: y = W2 relu(S(W1 x)), times sigmoid(Wg x) with a gate; S is the smoothing, which may
// stand at three other places. Padded positions are zero after W1. Before W1, the smoothing is also
// what the gate sees.
#pragma once

#include "ets/layer/layer.h"

namespace ets {

LayerResult etsmlp_forward(const Variant& variant, const Weights& weights, const at::Tensor& x,
                           const Context& context);

}  // namespace ets
