#include <ATen/TensorOperators.h>

#include "lcsm/layer/layer.h"
#include "lcsm/tensors/short_conv.h"
#include "runner/blocks/attention.h"
#include "runner/blocks/block.h"

namespace runner {

ets::LayerResult base_conv(const ets::Variant& v, const lcsm::Weights& weights, const at::Tensor& x,
                           const ets::Context& context) {
  const auto found = context.state.find("inputs");
  const at::Tensor before = found == context.state.end() ? at::Tensor() : found->second;
  const at::Tensor seen = without_padding(x, context.padding);
  const at::Tensor y =
      lcsm::short_conv(seen, weights.at("conv.weight"), weights.at("conv.bias"), before);
  return {y * lcsm::project(weights, "gate", x) + x,
          {{"inputs", lcsm::short_conv_state(seen, v.options.integer("taps"), before)}}};
}

}  // namespace runner
