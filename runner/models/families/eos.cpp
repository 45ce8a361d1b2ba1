// The family of the layer that a code names, and the parts around it: its projections have no
// biases.
#include "runner/config/keys/model_keys.h"
#include "runner/models/families/family.h"
#include "runner/systems/eos_block.h"

namespace runner {

EosParts parts_around(const lcsm::Variant& variant, const RunConfig& config) {
  EosParts parts;
  parts.variant = variant;
  parts.d = variant.sizes.d;
  parts.heads = static_cast<int>(config.integer("model.code_heads"_key));
  parts.taps = config.integer("model.conv"_key);
  parts.stage_norm = stage_norm_of(config.text("model.qk_norm"_key));
  parts.norm = output_norm_of(config.text("model.head_norm"_key));
  parts.gate = output_gate_of(config.text("model.output_gate"_key));
  parts.bonus = config.is("model.bonus"_key, "learned");
  return parts;
}

void put_eos(const ModelPlan& plan, std::size_t, TensorList& tensors) {
  for (lcsm::Parameter& tensor : tensors_of(*plan.parts)) tensors.put_eos(tensor);
}

TokenCost eos_cost(const ModelPlan& plan) {
  const EosCost parts = cost_of(*plan.parts);
  TokenCost cost{parts.flops, parts.kept};
  cost.add(mixing_of(*plan.parts));
  return cost;
}

double eos_state(const ModelPlan& plan, std::size_t) { return mixing_of(*plan.parts).state; }

}  // namespace runner
