#include "runner/models/blocks/block.h"

#include <array>

#include "ets/machines/state.h"
#include "runner/systems/blocks.h"
#include "runner/systems/eos_rows.h"

namespace runner {
namespace {

struct BlockRow {
  const lcsm::BlockRow* row;
  BlockForward* forward;
};

}  // namespace

lcsm::BlockResult block_forward(const lcsm::Block& variant, const lcsm::Weights& weights,
                                const at::Tensor& x, const lcsm::BlockContext& context,
                                ets::FilterMachine machine) {
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
      BlockRow{&kEos, eos_block},  // and every other row of eos_rows
  };
  for (const BlockRow& row : rows) {
    if (row.row != variant.row && !(row.row == &kEos && eos_row(*variant.row))) continue;
    const at::ScalarType dtype = x.scalar_type(),
                         wide = dtype == at::kDouble ? at::kDouble : at::kFloat;
    lcsm::Weights wide_weights;
    for (const auto& [name, tensor] : weights) wide_weights[name] = tensor.to(wide);
    lcsm::BlockResult result = row.forward(variant, wide_weights, x.to(wide), context);
    lcsm::refuse_unknown_state(context.state, result.state);
    result.output = result.output.to(dtype);
    return result;
  }
  return ets::layer_forward(variant, weights, x, context, machine);
}

}  // namespace runner
