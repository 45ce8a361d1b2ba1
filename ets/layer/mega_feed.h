// The feed-forward network of MEGA, y = W_down silu(W_up x), each step by itself.
#pragma once

#include "ets/layer/layer.h"

namespace ets {

lcsm::BlockResult mega_feed_forward(const lcsm::Block& variant, const lcsm::Weights& weights,
                                    const at::Tensor& x, const FilterContext& context);

}  // namespace ets
