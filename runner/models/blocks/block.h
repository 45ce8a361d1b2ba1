// The forward pass of any block, of ets/ or of systems/.
#pragma once

#include <functional>

#include "ets/layer/layer.h"

namespace runner {

// weights and x have one dtype. Padding writes nothing to a memory and is 0 in convolutions and
// mixes, but memories decay over it.
using CompiledBlock = std::function<lcsm::BlockResult(
    const lcsm::Weights& weights, const at::Tensor& x, const lcsm::BlockContext& context)>;

// Compiles what the forward pass needs of the block alone. `machine`: a filter's.
CompiledBlock make_block(const lcsm::Block& block,
                         ets::FilterMachine machine = ets::FilterMachine::kFastest);

// The operations that read a block's input. If only products do, a GPU may give the input their
// type.
lcsm::ReadBy input_read_by(const lcsm::Block& block);

// Compiles a block for a single pass.
lcsm::BlockResult block_forward(const lcsm::Block& block, const lcsm::Weights& weights,
                                const at::Tensor& x, const lcsm::BlockContext& context = {},
                                ets::FilterMachine machine = ets::FilterMachine::kFastest);

}  // namespace runner
