#include "runner/models/families/family.h"

namespace runner {

void put_attention(const ModelPlan& plan, std::size_t, TensorList& tensors) {
  const std::int64_t d = plan.config.integer("model.d");
  tensors.put_mixer_linear("qkv", 3 * d, d, TensorList::Matrix::kInner);
  tensors.put_mixer_linear("output", d, d, TensorList::Matrix::kIntoResidual);
}

TokenCost attention_cost(const ModelPlan& plan) {
  const auto d = static_cast<double>(plan.config.integer("model.d"));
  const double seen = plan.config.is("model.attention", "both") ? 2 : 1;  // halves of T x T
  return {8 * d * d + 2 * d * seen * static_cast<double>(plan.config.integer("task.length")),
          8 * d};
}

}  // namespace runner
