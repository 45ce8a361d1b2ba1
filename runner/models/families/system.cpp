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
  TokenCost cost{cost_of(mixer, T).flops, 8 * static_cast<double>(mixer.d)};
  cost.add(mixer.row->mixing(mixer, lcsm::real(T)));
  const auto keep = [&cost](const lcsm::Parameters& tensors) {
    for (const lcsm::Parameter& tensor : tensors)
      if (tensor.shape.size() == 2 && !tensor.shared)
        cost.kept += static_cast<double>(tensor.shape[0]);
  };
  keep(lcsm::tensors_of(mixer));
  if (const auto& decoder = plan.blocks[0].decoder) {
    // The matrices are counted with the rest of the layer.
    const lcsm::Mixing mixing = decoder->mixer.row->mixing(decoder->mixer, lcsm::real(T));
    cost.flops += mixing.flops + mixing_of(decoder->cross, mixer.d, lcsm::real(T)).flops;
    cost.add(mixing);
    keep(lcsm::tensors_of(decoder->mixer));
    keep(tensors_of(decoder->cross, mixer.d));
  }
  return cost;
}

double system_state(const ModelPlan& plan, std::size_t layer) {
  const std::int64_t T = plan.config.integer("task.length"_key);
  const LayerBlocks& blocks = plan.blocks[layer];
  const double state =
      cost_of(blocks.mixer, T).state + (blocks.feed ? cost_of(*blocks.feed, T).state : 0);
  if (!blocks.decoder) return state;
  return state + cost_of(blocks.decoder->mixer, T).state +
         mixing_of(blocks.decoder->cross, blocks.mixer.d, lcsm::real(T)).state;
}

}  // namespace runner
