// The mixer of a named system.
#include "runner/config/keys/task_keys.h"
#include "runner/models/families/block_cost.h"
#include "runner/models/families/family.h"

namespace runner {

void put_system(const ModelPlan& plan, std::size_t layer, TensorList& tensors) {
  tensors.put_block(plan.blocks[layer].mixer);
}

TokenCost system_cost(const ModelPlan& plan) {
  const lcsm::Block& mixer = plan.blocks[0].mixer;
  const std::int64_t T = plan.config.integer("task.length"_key);
  TokenCost cost{cost_of(mixer, T).flops, 8 * static_cast<double>(mixer.d),
                 scanned_of(mixer.row->mixing(mixer, lcsm::real(T)))};
  for (const lcsm::Parameter& tensor : lcsm::tensors_of(mixer))
    if (tensor.shape.size() == 2 && !tensor.shared)
      cost.kept += static_cast<double>(tensor.shape[0]);
  return cost;
}

double system_state(const ModelPlan& plan, std::size_t layer) {
  const std::int64_t T = plan.config.integer("task.length"_key);
  const LayerBlocks& blocks = plan.blocks[layer];
  return cost_of(blocks.mixer, T).state + (blocks.feed ? cost_of(*blocks.feed, T).state : 0);
}

}  // namespace runner
