// The feed-forward network of MEGA, y = W_down silu(W_up x), each step by itself.
#include <ATen/ops/silu.h>

#include "ets/families/mega.h"
#include "ets/layer/layer.h"
#include "lcsm/layer/layer.h"

namespace ets {

lcsm::BlockResult MegaFeed::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                    const FilterContext& context) const {
  lcsm::refuse_unknown_state(context.state, {});
  return {lcsm::project(weights, "down", at::silu(lcsm::project(weights, "up", x))), {}};
}

}  // namespace ets
