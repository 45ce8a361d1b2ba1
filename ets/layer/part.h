// Runs a layer inside a layer: the names of the part's tensors and states have a prefix in the
// whole layer.
#pragma once

#include "ets/layer/filter_forward.h"

namespace ets {

// The entries whose names begin with `prefix`, with the prefix removed; for weights and for states.
lcsm::BlockState part_of(const lcsm::BlockState& whole, const std::string& prefix);
void put_part(const lcsm::BlockState& part, const std::string& prefix, lcsm::BlockState* whole);

// Weights and context belong to the whole layer. The part's state is under the prefix; no other
// state is accepted. There is no dropout inside the part.
template <class Family>
lcsm::BlockResult part_forward(const Family& part, const std::string& prefix,
                               const lcsm::Weights& weights, const at::Tensor& x,
                               const FilterContext& context) {
  const FilterContext inner{{.padding = context.padding,
                             .state = part_of(context.state, prefix),
                             .wants_state = context.wants_state,
                             .backend = context.backend,
                             .gpu = context.gpu},
                            context.machine};
  // Under autocast x may be narrower than what filters compute with.
  const lcsm::BlockResult inside = filter_forward(part, part_of(weights, prefix),
                                                  x.to(lcsm::state_dtype(x.scalar_type())), inner);
  lcsm::BlockResult result{inside.output.to(x.scalar_type()), {}};
  put_part(inside.state, prefix, &result.state);
  lcsm::refuse_unknown_state(context.state, result.state);
  return result;
}

}  // namespace ets
