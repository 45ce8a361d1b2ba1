// The mixer of a named system.
#include "runner/config/keys/task_keys.h"
#include "runner/models/families/block_cost.h"
#include "runner/models/families/family.h"

namespace runner {

void put_system(const ModelPlan& plan, std::size_t layer, TensorList& tensors) {
  tensors.put_block(plan.blocks[layer].mixer);
}

TokenCost system_cost(const ModelPlan& plan) {
  const ets::Variant& mixer = plan.blocks[0].mixer;
  TokenCost cost{cost_of(mixer, plan.config.integer("task.length"_key)).flops,
                 8 * static_cast<double>(mixer.d)};
  for (const ets::Parameter& tensor : ets::tensors_of(mixer))
    if (tensor.shape.size() == 2 && !tensor.shared)
      cost.kept += static_cast<double>(tensor.shape[0]);
  return cost;
}

}  // namespace runner
