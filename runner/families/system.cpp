// The mixer of a named system.
#include <algorithm>

#include "lcsm/base/row_names.h"
#include "runner/families/family.h"

namespace runner {

void put_system(const ModelPlan& plan, std::size_t layer, TensorList& tensors) {
  tensors.put_block(plan.blocks[layer].mixer);
}

// A matrix is read once for a token. Attention compares a token with all of its chunk.
TokenCost system_cost(const ModelPlan& plan) {
  const ets::Variant& mixer = plan.blocks[0].mixer;
  const auto d = static_cast<double>(mixer.d);
  TokenCost cost{0, 8 * d};
  for (const ets::Parameter& tensor : ets::tensors_of(mixer)) {
    if (tensor.shared) continue;
    if (tensor.group != lcsm::ParameterGroup::kNorm)
      cost.flops += 2 * static_cast<double>(tensor.count());
    if (tensor.shape.size() == 2) cost.kept += static_cast<double>(tensor.shape[0]);
  }
  if (plan.config.system()->row->attends) {
    auto steps = static_cast<double>(plan.config.integer("task.length"));
    const ets::Options& options = mixer.options;
    if (lcsm::row_named(options.rows(), "chunk") != nullptr && options.integer("chunk") > 0)
      steps = std::min(steps, static_cast<double>(options.integer("chunk")));
    cost.flops += 4 * d * steps;
  }
  return cost;
}

}  // namespace runner
