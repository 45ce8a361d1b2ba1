#include "runner/models/skeletons/mixers.h"

#include <array>

#include "runner/config/keys/family_rows.h"
#include "runner/config/keys/model_keys.h"
#include "runner/models/blocks/attention.h"
#include "runner/models/blocks/block.h"
#include "runner/models/blocks/eos.h"

namespace runner {
namespace {

at::Tensor eos(const ModelPlan& plan, std::size_t, const lcsm::Weights& weights,
               const at::Tensor& x, const ets::Context& context) {
  if (plan.parts->is_plain()) return lcsm::layer_forward(*plan.variant, weights, x).output;
  return eos_forward(*plan.parts, weights, x, context).output;
}

at::Tensor attention_mixer(const ModelPlan& plan, std::size_t, const lcsm::Weights& weights,
                           const at::Tensor& x, const ets::Context& context) {
  const AttentionForm form = {plan.config.integer("model.heads"_key),
                              plan.config.is("model.positions"_key, "rope"),
                              plan.config.is("model.attention"_key, "both")};
  // Padding follows the sequence, so the past never contains it.
  return attention(weights, x, form, form.bidirectional ? context : ets::Context{});
}

at::Tensor system(const ModelPlan& plan, std::size_t layer, const lcsm::Weights& weights,
                  const at::Tensor& x, const ets::Context& context) {
  return block_forward(plan.blocks[layer].mixer, weights, x, context).output;
}

constexpr std::array kMixerRows = {
    MixerRow{"eos", eos},
    MixerRow{"attention", attention_mixer},
    MixerRow{"system", system},
};
static_assert(lcsm::same_names(kMixerRows, kFamilyRows));

}  // namespace

const MixerRow& mixer_of(const ModelPlan& plan) {
  return lcsm::row_for(kMixerRows, kFamilyRows, plan.config.family());
}

}  // namespace runner
