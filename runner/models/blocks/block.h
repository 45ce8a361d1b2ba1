// The forward pass of any block, of ets/ or of systems/.
#pragma once

#include <functional>

#include "ets/layer/layer.h"

namespace runner {

// weights and x have one dtype. Padding writes nothing into a memory and is 0 in convolutions and
// mixes, but decays go on over it.
using CompiledBlock = std::function<lcsm::BlockResult(
    const lcsm::Weights& weights, const at::Tensor& x, const lcsm::BlockContext& context)>;

// Compiled once: what its forward pass needs of the block alone. `machine`: of a filter.
CompiledBlock make_block(const lcsm::Block& block,
                         ets::FilterMachine machine = ets::FilterMachine::kFastest);

// What reads the input of a block: where only products do, a GPU may give it their type.
lcsm::ReadBy input_read_by(const lcsm::Block& block);

// Makes a block for one pass.
lcsm::BlockResult block_forward(const lcsm::Block& block, const lcsm::Weights& weights,
                                const at::Tensor& x, const lcsm::BlockContext& context = {},
                                ets::FilterMachine machine = ets::FilterMachine::kFastest);

}  // namespace runner
