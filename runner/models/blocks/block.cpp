#include "runner/models/blocks/block.h"

#include "lcsm/tensors/product.h"
#include "runner/models/blocks/eos.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

// Computes in float32 or float64 for any type of x, or on a GPU in the type of products where
// possible.
CompiledBlock widened(CompiledBlock block, lcsm::ReadBy read_by) {
  return [block = std::move(block), read_by](const lcsm::Weights& weights, const at::Tensor& x,
                                             const lcsm::BlockContext& context) {
    const at::ScalarType dtype = x.scalar_type(),
                         wide = dtype == at::kDouble ? at::kDouble : at::kFloat;
    lcsm::Weights wide_weights;
    for (const auto& [name, tensor] : weights) wide_weights[name] = tensor.to(wide);
    const at::Tensor in = context.gpu && read_by == lcsm::ReadBy::kProducts
                              ? lcsm::rounded_for_products(x)
                              : x.to(wide);
    lcsm::BlockResult result = block(wide_weights, in, context);
    lcsm::refuse_unknown_state(context.state, result.state);
    if (!context.gpu) result.output = result.output.to(dtype);
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
  if (own) return widened(std::move(own), input_read_by(block));
  return [block, machine](const lcsm::Weights& weights, const at::Tensor& x,
                          const lcsm::BlockContext& context) {
    return ets::layer_forward(block, weights, x, context, machine);
  };
}

// Blocks that are a code with parts begin with products, too. Other blocks may read x itself.
lcsm::ReadBy input_read_by(const lcsm::Block& block) {
  lcsm::ReadBy read_by = lcsm::ReadBy::kAnything;
  Blocks::visit(block, [&]<class T>(const T& fields) {
    if constexpr (
        requires { T::kBeginsWithProducts; } || requires { fields.parts(block.d); })
      read_by = lcsm::ReadBy::kProducts;
  });
  return read_by;
}

lcsm::BlockResult block_forward(const lcsm::Block& block, const lcsm::Weights& weights,
                                const at::Tensor& x, const lcsm::BlockContext& context,
                                ets::FilterMachine machine) {
  return make_block(block, machine)(weights, x, context);
}

}  // namespace runner
