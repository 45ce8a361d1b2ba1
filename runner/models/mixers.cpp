#include "runner/models/mixers.h"

#include <array>

#include "runner/models/attention.h"

namespace runner {
namespace {

at::Tensor eos(const ModelPlan& plan, const lcsm::Weights& weights, const at::Tensor& x,
               const ets::Context&) {
  return lcsm::layer_forward(*plan.variant, weights, x).output;
}

at::Tensor attention(const ModelPlan& plan, const lcsm::Weights& weights, const at::Tensor& x,
                     const ets::Context& context) {
  const std::int64_t heads = plan.config.integer("model.heads");
  const bool rope = plan.config.is("model.positions", "rope");
  return plan.config.is("model.attention", "both")
             ? two_sided_attention(weights, x, heads, rope, context.padding)
             : causal_attention(weights, x, heads, rope);
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
