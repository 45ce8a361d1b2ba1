#include "runner/models/blocks/block.h"

#include <array>

#include "runner/models/blocks/eos.h"
#include "runner/systems/blocks.h"
#include "runner/systems/eos_rows.h"

namespace runner {
namespace {

struct BlockRow {
  const lcsm::BlockRow* row;
  BlockForward* forward;
};

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

CompiledBlock make_block(const lcsm::Block& variant, ets::FilterMachine machine) {
  static const std::array rows = {
      BlockRow{&kBaseConv, base_conv},
      BlockRow{&kTransformer, transformer},
      BlockRow{&kMlp, mlp_block},
      BlockRow{&kGlu, glu_block},
      BlockRow{&kLinearTransformer, linear_transformer},
      BlockRow{&kPerformer, performer},
      BlockRow{&kLuna, luna},
      BlockRow{&kLinformer, linformer},
      BlockRow{&kFlash, flash},
      BlockRow{&kGmlp, gmlp},
      BlockRow{&kGfnet, gfnet},
      BlockRow{&kBigbird, bigbird},
      BlockRow{&kReformer, reformer},
      BlockRow{&kTransformerLs, transformer_ls},
      BlockRow{&kMamba, mamba},
      BlockRow{&kRwkv4, rwkv4},
      BlockRow{&kRwkv4Feed, rwkv4_feed},
      BlockRow{&kHgrn, hgrn},
      BlockRow{&kRetnet, retnet},
      BlockRow{&kCosformer, cosformer},
      BlockRow{&kBased, based},
  };
  const auto bound = [&](auto* forward) -> CompiledBlock {
    return [forward, variant](const lcsm::Weights& weights, const at::Tensor& x,
                              const lcsm::BlockContext& context) {
      return forward(variant, weights, x, context);
    };
  };
  if (eos_row(*variant.row)) return widened(EosLayer(parts_of(variant)));
  for (const BlockRow& row : rows)
    if (row.row == variant.row) return widened(bound(row.forward));
  return [variant, machine](const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) {
    return ets::layer_forward(variant, weights, x, context, machine);
  };
}

lcsm::BlockResult block_forward(const lcsm::Block& variant, const lcsm::Weights& weights,
                                const at::Tensor& x, const lcsm::BlockContext& context,
                                ets::FilterMachine machine) {
  return make_block(variant, machine)(weights, x, context);
}

}  // namespace runner
