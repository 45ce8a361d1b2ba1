// Runs a layer inside a layer: the part's tensors and states have a prefix in the whole's.
#pragma once

#include "ets/layer/layer.h"

namespace ets {

// The entries whose names begin with `prefix`, with the prefix removed; for weights and for states.
lcsm::BlockState part_of(const lcsm::BlockState& whole, const std::string& prefix);
void put_part(const lcsm::BlockState& part, const std::string& prefix, lcsm::BlockState* whole);

// Weights and context are the whole's. The part's state is under the prefix; no other state is
// accepted. There is no dropout inside the part.
lcsm::BlockResult part_forward(const lcsm::Block& part, const std::string& prefix,
                               const lcsm::Weights& weights, const at::Tensor& x,
                               const FilterContext& context);

}  // namespace ets
