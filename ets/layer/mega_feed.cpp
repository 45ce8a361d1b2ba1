#include "ets/layer/mega_feed.h"

#include <ATen/ops/silu.h>

#include "ets/machines/state.h"
#include "lcsm/layer/layer.h"

namespace ets {

lcsm::BlockResult mega_feed_forward(const lcsm::Block&, const lcsm::Weights& weights,
                                    const at::Tensor& x, const FilterContext& context) {
  lcsm::refuse_unknown_state(context.state, {});
  return {lcsm::project(weights, "down", at::silu(lcsm::project(weights, "up", x))), {}};
}

}  // namespace ets
