// The feed-forward network of MEGA, y = W_down silu(W_up x), each step by itself.
#pragma once

#include "ets/layer/layer.h"

namespace ets {

LayerResult mega_feed_forward(const Variant& variant, const Weights& weights, const at::Tensor& x,
                              const Context& context);

}  // namespace ets
