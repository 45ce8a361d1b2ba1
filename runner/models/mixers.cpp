#include "runner/models/mixers.h"

#include <array>

#include "runner/blocks/eos.h"
#include "runner/models/attention.h"

namespace runner {
namespace {

at::Tensor eos(const ModelPlan& plan, const lcsm::Weights& weights, const at::Tensor& x,
               const ets::Context& context) {
  if (plan.parts->is_plain()) return lcsm::layer_forward(*plan.variant, weights, x).output;
  return eos_forward(*plan.parts, weights, x, context).output;
}

at::Tensor attention(const ModelPlan& plan, const lcsm::Weights& weights, const at::Tensor& x,
                     const ets::Context&) {
  return causal_attention(weights, x, plan.config.integer("model.heads"),
                          plan.config.is("model.positions", "rope"));
}

constexpr std::array kRows = {
    MixerRow{"eos", eos},
    MixerRow{"attention", attention},
};
static_assert(lcsm::same_names(kRows, kFamilyRows));

}  // namespace

const MixerRow& mixer_of(const ModelPlan& plan) {
  return lcsm::row_for(kRows, kFamilyRows, plan.config.family());
}

}  // namespace runner
