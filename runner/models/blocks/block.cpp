#include "runner/models/blocks/block.h"

#include "runner/models/blocks/eos.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

// Computes in float32 or float64, whatever the type of x.
CompiledBlock widened(CompiledBlock block) {
  return [block = std::move(block)](const lcsm::Weights& weights, const at::Tensor& x,
                                    const lcsm::BlockContext& context) {
    const at::ScalarType dtype = x.scalar_type(),
                         wide = dtype == at::kDouble ? at::kDouble : at::kFloat;
    lcsm::Weights wide_weights;
    for (const auto& [name, tensor] : weights) wide_weights[name] = tensor.to(wide);
    lcsm::BlockResult result = block(wide_weights, x.to(wide), context);
    lcsm::refuse_unknown_state(context.state, result.state);
    result.output = result.output.to(dtype);
    return result;
  };
}

}  // namespace

CompiledBlock make_block(const lcsm::Block& block, ets::FilterMachine machine) {
  CompiledBlock own;
  Blocks::visit(block, [&](const auto& fields) {
    if constexpr (requires { fields.parts(block.d); })
      own = EosLayer(fields.parts(block.d));
    else
      own = [fields](const lcsm::Weights& weights, const at::Tensor& x,
                     const lcsm::BlockContext& context) {
        return fields.forward(weights, x, context);
      };
  });
  if (own) return widened(std::move(own));
  return [block, machine](const lcsm::Weights& weights, const at::Tensor& x,
                          const lcsm::BlockContext& context) {
    return ets::layer_forward(block, weights, x, context, machine);
  };
}

lcsm::BlockResult block_forward(const lcsm::Block& block, const lcsm::Weights& weights,
                                const at::Tensor& x, const lcsm::BlockContext& context,
                                ets::FilterMachine machine) {
  return make_block(block, machine)(weights, x, context);
}

}  // namespace runner
