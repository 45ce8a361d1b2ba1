#include "runner/models/skeletons/skeletons.h"

#include <array>
#include <stdexcept>

#include "lcsm/base/row_names.h"
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

// x += drop(mixer(norm(x))); x += drop(feed(x)), which has a norm of its own.
template <class Feed>
Tensor pre_normed(const Model& model, const Inputs& inputs, Dropout& dropout, Carried* carried,
                  double scale, const Feed& feed) {
  const ModelPlan& plan = model.plan();
  const lcsm::BlockContext context = context_of(model, inputs, dropout);
  const double share = plan.config.real("model.dropout"_key);
  Stream x(model, dropout(embedded(model, inputs, scale),
                          plan.config.real("model.embedding_dropout"_key)));
  for (std::size_t n = 0; n < model.layers().size(); ++n) {
    const Parts& layer = model.layers()[n];
    const auto add = [&](const Tensor& update) {
      x.add(dropout.of_examples(dropout(update, share), skipped_in(plan, n)));
    };
    add(mixed(model, n, x.normed(layer, "mixer_norm", model.mixers()[n].read_by), context,
              carried));
    add(feed(layer, x, context));
  }
  return x.normed(model.around(), "final_norm", head_reads(plan));
}

Tensor wikitext(const Model& model, const Inputs& inputs, Dropout& dropout, Carried* carried) {
  return pre_normed(model, inputs, dropout, carried, root_of_width(model),
                    [&](const Parts& layer, Stream& x, const lcsm::BlockContext& context) {
                      return glu(layer.at("glu"), model.plan().config.text("model.glu"_key),
                                 x.normed(layer, "glu_norm", ReadBy::kProducts), context.gpu);
                    });
}

// Without a state mixer the normed residual itself is added.
Tensor zoology(const Model& model, const Inputs& inputs, Dropout& dropout, Carried* carried) {
  return pre_normed(model, inputs, dropout, carried, 1,
                    [](const Parts& layer, Stream& x, const lcsm::BlockContext&) {
                      const auto state = layer.find("state_mixer");
                      const bool mixes = state != layer.end();
                      const Tensor h = x.normed(layer, "state_norm",
                                                mixes ? ReadBy::kProducts : ReadBy::kAnything);
                      return mixes ? mlp(state->second, h) : h;
                    });
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
  if (const SkeletonRow* row = lcsm::row_named(kSkeletonRows, name); row != nullptr) return *row;
  throw std::logic_error("model: unknown skeleton '" + name + "'");
}

}  // namespace runner
