// ETSMLP: y = W2 relu(S(W1 x)), times sigmoid(Wg x) with a gate; S is the smoothing, which may
// stand at three other places. Padded positions are zero after W1. Before W1, the smoothing is also
// what the gate sees.
#pragma once

#include "ets/layer/layer.h"

namespace ets {

lcsm::BlockResult etsmlp_forward(const lcsm::Block& variant, const lcsm::Weights& weights,
                                 const at::Tensor& x, const FilterContext& context);

}  // namespace ets
