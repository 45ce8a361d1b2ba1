#include <ATen/TensorOperators.h>

#include "lcsm/layer/block.h"
#include "lcsm/layer/layer.h"
#include "lcsm/tensors/short_conv.h"
#include "runner/models/blocks/steps.h"
#include "runner/systems/token_mixers.h"

namespace runner {

lcsm::BlockResult BaseConv::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                    const lcsm::BlockContext& context) const {
  const at::Tensor before = state_of(context, "inputs"), given = masked(x, context.padding);
  const at::Tensor y = convolved(lcsm::Activation::kIdentity, given, weights.at("conv.weight"),
                                 weights.at("conv.bias"), before, context.on());
  return {y * lcsm::project(weights, "gate", x) + x,
          {{"inputs", lcsm::short_conv_state(given, taps, before)}}};
}

}  // namespace runner
