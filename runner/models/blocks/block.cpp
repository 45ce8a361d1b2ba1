#include "runner/models/blocks/block.h"

#include <array>

#include "ets/machines/state.h"
#include "runner/models/blocks/eos.h"
#include "runner/systems/blocks.h"
#include "runner/systems/eos_rows.h"

namespace runner {
namespace {

struct BlockRow {
  const ets::FamilyRow* row;
  BlockForward* forward;
};

// Computes in float32 or float64, whatever the type of x.
Block widened(Block block) {
  return [block = std::move(block)](const lcsm::Weights& weights, const at::Tensor& x,
                                    const ets::Context& context) {
    const at::ScalarType dtype = x.scalar_type(),
                         wide = dtype == at::kDouble ? at::kDouble : at::kFloat;
    lcsm::Weights wide_weights;
    for (const auto& [name, tensor] : weights) wide_weights[name] = tensor.to(wide);
    ets::LayerResult result = block(wide_weights, x.to(wide), context);
    ets::refuse_unknown_state(context.state, result.state);
    result.output = result.output.to(dtype);
    return result;
  };
}

}  // namespace

Block make_block(const ets::Variant& variant) {
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
  const auto bound = [&](auto* forward) -> Block {
    return [forward, variant](const lcsm::Weights& weights, const at::Tensor& x,
                              const ets::Context& context) {
      return forward(variant, weights, x, context);
    };
  };
  if (eos_row(*variant.family)) return widened(EosLayer(parts_of(variant)));
  for (const BlockRow& row : rows)
    if (row.row == variant.family) return widened(bound(row.forward));
  return bound(ets::layer_forward);
}

ets::LayerResult block_forward(const ets::Variant& variant, const lcsm::Weights& weights,
                               const at::Tensor& x, const ets::Context& context) {
  return make_block(variant)(weights, x, context);
}

}  // namespace runner
