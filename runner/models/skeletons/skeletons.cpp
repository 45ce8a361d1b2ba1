#include "runner/models/skeletons/skeletons.h"

#include <array>
#include <stdexcept>

#include "runner/config/keys/model_keys.h"
#include "runner/models/blocks/channel_mixers.h"
#include "runner/models/skeletons/encoder_decoder.h"
#include "runner/models/skeletons/source.h"
#include "runner/models/skeletons/stages.h"
#include "runner/models/skeletons/stream.h"

namespace runner {
namespace {

using at::Tensor;

using lcsm::ReadBy;

// Pre-norm: x += drop(mixer(norm(x))); x += drop(glu(norm(x))).
Tensor wikitext(const Model& model, const Inputs& inputs, Dropout& dropout, Carried* carried) {
  const ModelPlan& plan = model.plan();
  const lcsm::BlockContext context = context_of(model, inputs, dropout);
  const double share = plan.config.real("model.dropout"_key);
  Stream x(model, dropout(embedded(model, inputs, root_of_width(model)),
                          plan.config.real("model.embedding_dropout"_key)));
  for (std::size_t n = 0; n < model.layers().size(); ++n) {
    const Parts& layer = model.layers()[n];
    const LayerMixers& mixers = model.mixers()[n];
    const auto add = [&](const Tensor& update) {
      x.add(dropout.of_examples(dropout(update, share), skipped_in(plan, n)));
    };
    add(mixed(model, n, x.normed(layer, "mixer_norm", mixers.read_by), context, carried));
    add(glu(layer.at("glu"), plan.config.text("model.glu"_key),
            x.normed(layer, "glu_norm", ReadBy::kProducts), context.gpu));
  }
  return x.normed(model.around(), "final_norm", head_reads(plan));
}

// A running residual: r += drop(h); h = mixer(norm(r)); r += drop(h); h = state_mixer(norm(r)).
// Without a state mixer the normed residual itself is added in the next layer.
Tensor zoology(const Model& model, const Inputs& inputs, Dropout& dropout, Carried* carried) {
  const ModelPlan& plan = model.plan();
  const lcsm::BlockContext context = context_of(model, inputs, dropout);
  const double share = plan.config.real("model.dropout"_key);
  Stream r(model,
           dropout(embedded(model, inputs, 1), plan.config.real("model.embedding_dropout"_key)));
  for (std::size_t n = 0; n < model.layers().size(); ++n) {
    const Parts& layer = model.layers()[n];
    const LayerMixers& mixers = model.mixers()[n];
    const auto add = [&](const Tensor& update) {
      r.add(dropout.of_examples(dropout(update, share), skipped_in(plan, n)));
    };
    add(mixed(model, n, r.normed(layer, "mixer_norm", mixers.read_by), context, carried));
    const auto state = layer.find("state_mixer");
    const bool mixes = state != layer.end();
    const Tensor h = r.normed(layer, "state_norm", mixes ? ReadBy::kProducts : ReadBy::kAnything);
    add(mixes ? mlp(state->second, h) : h);
  }
  return r.normed(model.around(), "final_norm", head_reads(plan));
}

constexpr std::array kSkeletonRows = {
    SkeletonRow{"wikitext", wikitext},
    SkeletonRow{"zoology", zoology},
    SkeletonRow{"source", source_hidden},
    SkeletonRow{"encoder-decoder", encoder_decoder_hidden},
};

}  // namespace

const SkeletonRow& skeleton_of(const ModelPlan& plan) {
  const std::string& name = plan.config.text("model.skeleton"_key);
  for (const SkeletonRow& row : kSkeletonRows)
    if (row.name == name) return row;
  throw std::logic_error("model: unknown skeleton '" + name + "'");
}

}  // namespace runner
