// The family of the layer that a code names, and the parts around it: its projections have no
// biases.
#include "runner/models/families/family.h"

namespace runner {

EosParts parts_around(const lcsm::Variant& variant, const RunConfig& config) {
  EosParts parts;
  parts.variant = variant;
  parts.d = variant.sizes.d;
  parts.heads = static_cast<int>(config.integer("model.code_heads"));
  parts.taps = config.integer("model.conv");
  parts.stage_norm = stage_norm_of(config.text("model.qk_norm"));
  parts.norm = output_norm_of(config.text("model.head_norm"));
  parts.gate = output_gate_of(config.text("model.output_gate"));
  parts.bonus = config.is("model.bonus", "learned");
  return parts;
}

void put_eos(const ModelPlan& plan, std::size_t, TensorList& tensors) {
  for (lcsm::Parameter& tensor : tensors_of(*plan.parts)) tensors.put_eos(tensor);
}

TokenCost eos_cost(const ModelPlan& plan) {
  const EosCost cost = cost_of(*plan.parts);
  return {cost.flops, cost.kept};
}

}  // namespace runner
