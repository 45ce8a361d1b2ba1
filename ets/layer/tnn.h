// The gated Toeplitz unit of TNN: y = W_o (silu(W_u x) T(silu(W_v x))), T the filter of tnn_filter;
// W_u is gate, W_v value, W_o output, all with biases.
#pragma once

#include "ets/layer/layer.h"

namespace ets {

lcsm::BlockResult tnn_forward(const lcsm::Block& variant, const lcsm::Weights& weights,
                              const at::Tensor& x, const FilterContext& context);

}  // namespace ets
