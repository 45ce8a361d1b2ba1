#include "ets/layer/part.h"

#include "ets/machines/state.h"

namespace ets {

lcsm::BlockState part_of(const lcsm::BlockState& whole, const std::string& prefix) {
  lcsm::BlockState part;
  for (const auto& [name, tensor] : whole)
    if (name.starts_with(prefix)) part[name.substr(prefix.size())] = tensor;
  return part;
}

void put_part(const lcsm::BlockState& part, const std::string& prefix, lcsm::BlockState* whole) {
  for (const auto& [name, tensor] : part) (*whole)[prefix + name] = tensor;
}

lcsm::BlockResult part_forward(const lcsm::Block& part, const std::string& prefix,
                               const lcsm::Weights& weights, const at::Tensor& x,
                               const FilterContext& context) {
  const lcsm::BlockResult inside = layer_forward(part, part_of(weights, prefix), x,
                                                 {.padding = context.padding,
                                                  .state = part_of(context.state, prefix),
                                                  .backend = context.backend},
                                                 context.machine);
  lcsm::BlockResult result{inside.output, {}};
  put_part(inside.state, prefix, &result.state);
  lcsm::refuse_unknown_state(context.state, result.state);
  return result;
}

}  // namespace ets
