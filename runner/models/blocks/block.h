// The forward pass of any block, of ets/ or of this folder.
#pragma once

#include <functional>

#include "ets/layer/layer.h"
#include "lcsm/layer/layer.h"

namespace runner {

// Like ets::layer_forward, for every row of systems/blocks. Padding writes nothing into a memory
// and is 0 in convolutions and mixes, but decays go on over it.
using Block = std::function<ets::LayerResult(const lcsm::Weights& weights, const at::Tensor& x,
                                             const ets::Context& context)>;

// Compiled once: what its forward pass needs of the variant alone.
Block make_block(const ets::Variant& variant);

// Makes a block for one pass.
ets::LayerResult block_forward(const ets::Variant& variant, const lcsm::Weights& weights,
                               const at::Tensor& x, const ets::Context& context = {});

// ----- The blocks; weights and x have one dtype, float32 or float64 -----

using BlockForward = ets::LayerResult(const ets::Variant& variant, const lcsm::Weights& weights,
                                      const at::Tensor& x, const ets::Context& context);

BlockForward base_conv, transformer, mlp_block, glu_block, linear_transformer, performer, luna,
    linformer, flash, gmlp, gfnet, bigbird, reformer, transformer_ls, variant, weights, mamba,
    rwkv4, rwkv4_feed, hgrn, retnet, cosformer, based;

}  // namespace runner
