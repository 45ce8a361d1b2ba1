#include "ets/layer/part.h"

#include "ets/machines/state.h"

namespace ets {

State part_of(const State& whole, const std::string& prefix) {
  State part;
  for (const auto& [name, tensor] : whole)
    if (name.starts_with(prefix)) part[name.substr(prefix.size())] = tensor;
  return part;
}

void put_part(const State& part, const std::string& prefix, State* whole) {
  for (const auto& [name, tensor] : part) (*whole)[prefix + name] = tensor;
}

LayerResult part_forward(const Variant& part, const std::string& prefix, const Weights& weights,
                         const at::Tensor& x, const Context& context) {
  const LayerResult inside = layer_forward(part, part_of(weights, prefix), x,
                                           {.padding = context.padding,
                                            .state = part_of(context.state, prefix),
                                            .machine = context.machine,
                                            .gpu = context.gpu});
  LayerResult result{inside.output, {}};
  put_part(inside.state, prefix, &result.state);
  refuse_unknown_state(context.state, result.state);
  return result;
}

}  // namespace ets
