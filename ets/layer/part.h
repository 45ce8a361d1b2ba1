// A layer inside a layer: tensors and states of the part stand under a prefix in those of the
// whole.
#pragma once

#include "ets/layer/layer.h"

namespace ets {

// Those whose names begin with `prefix`, without it. Of weights as of states.
State part_of(const State& whole, const std::string& prefix);
void put_part(const State& part, const std::string& prefix, State* whole);

// Weights and context are of the whole. The state of the part is under the prefix, and no other is
// taken. Nothing drops inside it.
LayerResult part_forward(const Variant& part, const std::string& prefix, const Weights& weights,
                         const at::Tensor& x, const Context& context);

}  // namespace ets
