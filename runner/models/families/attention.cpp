#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/models/families/family.h"

namespace runner {

void put_attention(const ModelPlan& plan, std::size_t, TensorList& tensors) {
  const std::int64_t d = plan.config.integer("model.d"_key);
  tensors.put_mixer_linear("qkv", 3 * d, d, TensorList::Matrix::kInner);
  tensors.put_mixer_linear("output", d, d, TensorList::Matrix::kIntoResidual);
}

TokenCost attention_cost(const ModelPlan& plan) {
  const auto d = static_cast<double>(plan.config.integer("model.d"_key));
  const double seen = plan.config.is("model.attention"_key, "both") ? 2 : 1;  // halves of T x T
  return {8 * d * d + 2 * d * seen * static_cast<double>(plan.config.integer("task.length"_key)),
          8 * d};
}

double attention_state(const ModelPlan& plan, std::size_t) {
  if (plan.config.is("model.attention"_key, "both")) return 0;
  return 2 * static_cast<double>(plan.config.integer("model.d"_key) *
                                 plan.config.integer("task.length"_key));
}

}  // namespace runner
