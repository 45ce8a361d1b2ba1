// The forward pass of a block: of ets/ or ours.
#pragma once

#include "ets/layer/layer.h"
#include "lcsm/layer/layer.h"

namespace runner {

// As ets::layer_forward, for every row of systems/blocks.
ets::LayerResult block_forward(const ets::Variant& variant, const lcsm::Weights& weights,
                               const at::Tensor& x, const ets::Context& context = {});

// ----- The blocks, each in a file of its name; weights and x have one dtype, float32 or float64
// -----

ets::LayerResult base_conv(const ets::Variant& variant, const lcsm::Weights& weights,
                           const at::Tensor& x, const ets::Context& context);

ets::LayerResult eos_block(const ets::Variant& variant, const lcsm::Weights& weights,
                           const at::Tensor& x, const ets::Context& context);

}  // namespace runner
