#include "runner/models/skeletons/skeletons.h"

#include <ATen/TensorOperators.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "runner/config/keys/model_keys.h"
#include "runner/models/blocks/channel_mixers.h"
#include "runner/models/skeletons/norms.h"

namespace runner {
namespace {

using at::Tensor;

// An affine LayerNorm; without weights (scheme B) x / sqrt(mean of x^2 + eps).
Tensor norm(const Parts& parts, const std::string& name, const Tensor& x) {
  const auto found = parts.find(name);
  if (found == parts.end()) return normed("simple", {}, x, false);
  return normed("layer", found->second, x, false);
}

// The embedded inputs times `scale`, plus learned positions, if any.
Tensor placed(const Model& model, const Inputs& inputs, double scale) {
  const Tensor x = inputs_of(model.plan()).embed(model, inputs);
  const Tensor scaled = scale == 1 ? x : x * scale;
  const auto found = model.around().find("positions");
  if (found == model.around().end()) return scaled;
  const Tensor& positions = found->second.at("weight");
  if (inputs.length() > positions.size(0))
    throw std::invalid_argument(
        c10::str("model: expected at most task.length = ", positions.size(0),
                 " tokens, as positions are learned, got ", inputs.length()));
  return scaled + positions.narrow(0, 0, inputs.length());
}

// [B, T, d]; zero where there is padding.
Tensor embedded(const Model& model, const Inputs& inputs, double scale) {
  const Tensor x = placed(model, inputs, scale);
  return inputs.padding.defined() ? x.masked_fill(inputs.padding.unsqueeze(2), 0) : x;
}

// Pre-norm: x += drop(mixer(norm(x))); x += drop(glu(norm(x))).
Tensor wikitext(const Model& model, const Inputs& inputs, Dropout& dropout) {
  const ModelPlan& plan = model.plan();
  const lcsm::BlockContext context{
      .padding = inputs.padding, .backend = model.on().backend, .gpu = model.on().gpu};
  const double share = plan.config.real("model.dropout"_key);
  const double scale = std::sqrt(static_cast<double>(plan.config.integer("model.d"_key)));
  Tensor x =
      dropout(embedded(model, inputs, scale), plan.config.real("model.embedding_dropout"_key));
  for (std::size_t n = 0; n < model.layers().size(); ++n) {
    const Parts& layer = model.layers()[n];
    x = dropout.add(
        x, model.mixers()[n].mix(layer.at("mixer"), norm(layer, "mixer_norm", x), context), share);
    x = dropout.add(x,
                    glu(layer.at("glu"), plan.config.text("model.glu"_key),
                        norm(layer, "glu_norm", x), context.gpu),
                    share);
  }
  return norm(model.around(), "final_norm", x);
}

// A running residual: r += drop(h); h = mixer(norm(r)); r += drop(h); h = state_mixer(norm(r)).
// Without a state mixer the normed residual itself is added in the next layer.
Tensor zoology(const Model& model, const Inputs& inputs, Dropout& dropout) {
  const ModelPlan& plan = model.plan();
  const lcsm::BlockContext context{
      .padding = inputs.padding, .backend = model.on().backend, .gpu = model.on().gpu};
  const double share = plan.config.real("model.dropout"_key);
  Tensor h = dropout(embedded(model, inputs, 1), plan.config.real("model.embedding_dropout"_key));
  Tensor r;
  for (std::size_t n = 0; n < model.layers().size(); ++n) {
    const Parts& layer = model.layers()[n];
    r = r.defined() ? dropout.add(r, h, share) : h;
    h = model.mixers()[n].mix(layer.at("mixer"), norm(layer, "mixer_norm", r), context);
    r = dropout.add(r, h, share);
    h = norm(layer, "state_norm", r);
    if (const auto state = layer.find("state_mixer"); state != layer.end())
      h = mlp(state->second, h);
  }
  return norm(model.around(), "final_norm", dropout.add(r, h, share));
}

// The model of a named system's authors: layers of a mixer and a feed-forward, each with a residual
// and a norm before or after it.
class Source {
 public:
  Source(const Model& model, const Inputs& inputs, Dropout& dropout)
      : plan_(model.plan()),
        system_(*plan_.config.system()),
        padding_(inputs.padding),
        on_(model.on()),
        share_(plan_.config.real("model.dropout"_key)),
        dropout_(dropout) {
    if (dropout.drops() && share_ > 0) inside_ = [this](const Tensor& x) { return drop(x); };
  }

  Tensor norm(const Parts& parts, const std::string& name, const Tensor& x) const {
    static const lcsm::Weights none;
    const auto found = parts.find(name);
    return normed(system_.norm, found == parts.end() ? none : found->second, x, dropout_.drops());
  }

  Tensor layer(const LayerMixers& mixers, const Parts& parts, Tensor x) const {
    x = unit(parts, "mixer", mixers.mix, system_.row->drops, x);
    return mixers.feed ? unit(parts, "feed", mixers.feed, true, x) : x;
  }

 private:
  Tensor drop(const Tensor& x) const {
    return system_.row->tied ? dropout_.over_steps(x, share_) : dropout_(x, share_);
  }

  Tensor unit(const Parts& parts, const std::string& name, const Mixer& mixer, bool drops,
              const Tensor& x) const {
    const std::string norm_name = name + "_norm";
    lcsm::BlockContext context;
    context.padding = padding_;
    context.backend = on_.backend;
    context.gpu = on_.gpu;
    context.residual = x;
    context.drop = inside_;
    const Tensor update =
        mixer(parts.at(name), system_.post ? x : norm(parts, norm_name, x), context);
    const Tensor sum = x + (drops ? drop(update) : update);
    return system_.post ? norm(parts, norm_name, sum) : sum;
  }

  const ModelPlan& plan_;
  const System& system_;
  const Tensor padding_;
  const lcsm::On& on_;
  const double share_;
  Dropout& dropout_;
  std::function<Tensor(const Tensor&)> inside_;
};

Tensor source(const Model& model, const Inputs& inputs, Dropout& dropout) {
  const Source skeleton(model, inputs, dropout);
  const System& system = *model.plan().config.system();
  Tensor x = embedded(model, inputs, 1);
  if (system.row->embedding_normed) x = skeleton.norm(model.around(), "embedding_norm", x);
  x = dropout(x, model.plan().config.real("model.embedding_dropout"_key));
  for (std::size_t n = 0; n < model.layers().size(); ++n)
    x = skeleton.layer(model.mixers()[n], model.layers()[n], x);
  return system.post ? x : skeleton.norm(model.around(), "final_norm", x);
}

constexpr std::array kSkeletonRows = {
    SkeletonRow{"wikitext", wikitext},
    SkeletonRow{"zoology", zoology},
    SkeletonRow{"source", source},
};

}  // namespace

const SkeletonRow& skeleton_of(const ModelPlan& plan) {
  const std::string& name = plan.config.text("model.skeleton"_key);
  for (const SkeletonRow& row : kSkeletonRows)
    if (row.name == name) return row;
  throw std::logic_error("model: unknown skeleton '" + name + "'");
}

}  // namespace runner
