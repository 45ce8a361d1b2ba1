// The family of the layer that a code names: its projections have no biases.
#include "lcsm/code/plan.h"
#include "runner/families/family.h"

namespace runner {

void put_eos(const ModelPlan& plan, TensorList& tensors) {
  for (lcsm::Parameter& tensor : lcsm::tensors_of(*plan.variant)) tensors.put_eos(tensor);
}

TokenCost eos_cost(const ModelPlan& plan) {
  const lcsm::Cost cost = lcsm::cost_of(*plan.variant);
  return {
      static_cast<double>(cost.projection_flops + cost.recurrence_flops),
      static_cast<double>(8 * plan.config.integer("model.d") + 4 * plan.config.integer("model.k"))};
}

}  // namespace runner
