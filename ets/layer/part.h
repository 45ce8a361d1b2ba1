// Runs a layer inside a layer: the part's tensors and states have a prefix in the whole's.
#pragma once

#include "ets/layer/layer.h"

namespace ets {

// The entries whose names begin with `prefix`, with the prefix removed; for weights and for states.
State part_of(const State& whole, const std::string& prefix);
void put_part(const State& part, const std::string& prefix, State* whole);

// Weights and context are the whole's. The part's state is under the prefix; no other state is
// accepted. There is no dropout inside the part.
LayerResult part_forward(const Variant& part, const std::string& prefix, const Weights& weights,
                         const at::Tensor& x, const Context& context);

}  // namespace ets
