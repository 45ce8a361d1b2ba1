// The forward pass of any block, of ets/ or of this folder.
#pragma once

#include <functional>

#include "ets/layer/layer.h"
#include "lcsm/layer/layer.h"

namespace runner {

// Like ets::layer_forward, for every row of systems/blocks. Padding writes nothing into a memory
// and is 0 in convolutions and mixes, but decays go on over it.
using CompiledBlock = std::function<lcsm::BlockResult(
    const lcsm::Weights& weights, const at::Tensor& x, const lcsm::BlockContext& context)>;

// Compiled once: what its forward pass needs of the variant alone.
// `machine`: of a filter.
CompiledBlock make_block(const lcsm::Block& variant,
                         ets::FilterMachine machine = ets::FilterMachine::kCpu);

// Makes a block for one pass.
lcsm::BlockResult block_forward(const lcsm::Block& variant, const lcsm::Weights& weights,
                                const at::Tensor& x, const lcsm::BlockContext& context = {},
                                ets::FilterMachine machine = ets::FilterMachine::kCpu);

// ----- The blocks; weights and x have one dtype, float32 or float64 -----

using BlockForward = lcsm::BlockResult(const lcsm::Block& variant, const lcsm::Weights& weights,
                                       const at::Tensor& x, const lcsm::BlockContext& context);

BlockForward base_conv, transformer, mlp_block, glu_block, linear_transformer, performer, luna,
    linformer, flash, gmlp, gfnet, bigbird, reformer, transformer_ls, mamba, rwkv4, rwkv4_feed,
    hgrn, retnet, cosformer, based;

}  // namespace runner
