#include "runner/models/skeletons/mixers.h"

#include <array>

#include "runner/config/keys/family_rows.h"
#include "runner/config/keys/model_keys.h"
#include "runner/models/blocks/attention.h"
#include "runner/models/blocks/block.h"
#include "runner/models/blocks/eos.h"

namespace runner {
namespace {

using at::Tensor;

LayerMixers eos(const ModelPlan& plan, std::size_t) {
  if (plan.parts->is_plain())
    return {[layer = lcsm::Layer(*plan.variant)](const lcsm::Weights& weights, const Tensor& x,
                                                 const lcsm::BlockContext& context) {
              const lcsm::LayerResult result =
                  layer(weights, x, lcsm::state_of_code(context.state), context.gpu);
              return lcsm::BlockResult{result.output, lcsm::by_name(result.state)};
            },
            {},
            lcsm::ReadBy::kProducts};
  return {EosLayer(*plan.parts), {}, lcsm::ReadBy::kProducts};
}

LayerMixers attention_mixer(const ModelPlan& plan, std::size_t) {
  const AttentionForm form = {plan.config.integer("model.heads"_key),
                              plan.config.is("model.positions"_key, "rope"),
                              plan.config.is("model.attention"_key, "both")};
  // Padding follows the sequence, so the past never contains it.
  return {[form](const lcsm::Weights& weights, const Tensor& x, const lcsm::BlockContext& context) {
            return lcsm::BlockResult{
                attention(weights, x, form, form.bidirectional ? context : lcsm::BlockContext{}),
                {}};
          },
          {},
          lcsm::ReadBy::kProducts};
}

LayerMixers system(const ModelPlan& plan, std::size_t layer) {
  const LayerBlocks& blocks = plan.blocks[layer];
  LayerMixers mixers{make_block(blocks.mixer), blocks.feed ? make_block(*blocks.feed) : Mixer(),
                     input_read_by(blocks.mixer),
                     blocks.feed ? input_read_by(*blocks.feed) : lcsm::ReadBy::kAnything,
                     blocks.mixer.row->recalls};
  if (!blocks.decoder) return mixers;
  mixers.decode = make_block(blocks.decoder->mixer);
  mixers.cross = [cross = blocks.decoder->cross](const lcsm::Weights& weights, const Tensor& x,
                                                 const EncodedSource& encoded,
                                                 const lcsm::BlockContext& context) {
    return cross_forward(cross, weights, x, encoded, context);
  };
  return mixers;
}

constexpr std::array kMixerRows = {
    MixerRow{"eos", eos},
    MixerRow{"attention", attention_mixer},
    MixerRow{"system", system},
};
static_assert(lcsm::same_names(kMixerRows, kFamilyRows));

}  // namespace

std::vector<LayerMixers> mixers_of(const ModelPlan& plan) {
  const MixerRow& row = lcsm::row_for(kMixerRows, kFamilyRows, plan.config.family());
  std::vector<LayerMixers> mixers;
  for (std::int64_t n = 0; n < plan.config.integer("model.layers"_key); ++n)
    mixers.push_back(row.of_layer(plan, static_cast<std::size_t>(n)));
  return mixers;
}

}  // namespace runner
