#include "runner/models/skeletons/skeletons.h"

#include <ATen/TensorOperators.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/models/blocks/channel_mixers.h"
#include "runner/models/skeletons/norms.h"

namespace runner {
namespace {

using at::Tensor;

using lcsm::ReadBy;

// A residual x. What is added to it waits for the next norm: on a GPU both are one pass.
class Stream {
 public:
  Stream(const Model& model, Tensor x)
      : gpu_(model.on().backend == lcsm::Backend::kReference ? nullptr : model.on().gpu),
        x_(std::move(x)) {}

  void add(Tensor update) {
    settle();
    update_ = std::move(update);
  }
  void set(Tensor x) {
    x_ = std::move(x);
    update_.reset();
  }
  const Tensor& x() {
    settle();
    return x_;
  }

  Tensor normed(std::string_view kind, const lcsm::Weights& weights, ReadBy read_by,
                bool training = false) {
    const bool adds = update_.defined();
    auto [sum, y] = normed_sum({kind, weights, training, read_by, gpu_}, adds ? x_ : Tensor(),
                               adds ? update_ : x_);
    x_ = std::move(sum);
    update_.reset();
    return y;
  }
  // An affine LayerNorm; without weights (scheme B) x / sqrt(mean of x^2 + eps).
  Tensor normed(const Parts& parts, const std::string& name, ReadBy read_by) {
    static const lcsm::Weights none;
    const auto found = parts.find(name);
    return found == parts.end() ? normed("simple", none, read_by)
                                : normed("layer", found->second, read_by);
  }

 private:
  void settle() {
    if (update_.defined()) x_ = x_.add(update_);
    update_.reset();
  }

  const lcsm::GpuOrCpu gpu_;
  Tensor x_, update_;
};

// Of the last norm: a head over tokens is a product.
ReadBy head_reads(const ModelPlan& plan) {
  return plan.config.task().head == "tokens" ? ReadBy::kProducts : ReadBy::kAnything;
}

double root_of_width(const Model& model) {
  return std::sqrt(static_cast<double>(model.plan().config.integer("model.d"_key)));
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

// Stochastic depth (Huang et al. 2016): the share of examples that skip a unit of a layer.
double skipped_in(const ModelPlan& plan, std::size_t layer) {
  const auto last = static_cast<double>(plan.config.integer("model.layers"_key) - 1);
  if (last == 0) return 0;
  return plan.config.real("model.depth_dropout"_key) * static_cast<double>(layer) / last;
}

// What all blocks of a model are told.
lcsm::BlockContext context_of(const Model& model, const Inputs& inputs, Dropout& dropout) {
  lcsm::BlockContext context{
      .padding = inputs.padding, .backend = model.on().backend, .gpu = model.on().gpu};
  if (dropout.drops())
    context.drop_share = [&dropout](const Tensor& x, double share) { return dropout(x, share); };
  return context;
}

// The mixer of layer n, which takes its part of `carried` and leaves what follows.
Tensor mixed(const Model& model, std::size_t n, const Tensor& x, lcsm::BlockContext context,
             Carried* carried) {
  if (carried != nullptr) context.state = (*carried)[n];
  lcsm::BlockResult result = model.mixers()[n].mix(model.layers()[n].at("mixer"), x, context);
  if (carried != nullptr) (*carried)[n] = std::move(result.state);
  return result.output;
}

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

// The model of a named system's authors: layers of a mixer and a feed-forward, each with a residual
// and a norm before or after it.
class Source {
 public:
  Source(const Model& model, const Inputs& inputs, Dropout& dropout, Carried* carried)
      : model_(model),
        system_(*model.plan().config.system()),
        context_(context_of(model, inputs, dropout)),
        share_(model.plan().config.real("model.dropout"_key)),
        dropout_(dropout),
        carried_(carried) {
    if (dropout.drops() && share_ > 0) context_.drop = [this](const Tensor& x) { return drop(x); };
  }

  Tensor norm(const Parts& parts, const std::string& name, Stream* x,
              ReadBy read_by = ReadBy::kAnything) const {
    static const lcsm::Weights none;
    const auto found = parts.find(name);
    return x->normed(system_.norm, found == parts.end() ? none : found->second, read_by,
                     dropout_.drops());
  }

  void layer(std::size_t n, Stream* x) const {
    const LayerMixers& mixers = model_.mixers()[n];
    const Parts& parts = model_.layers()[n];
    const double skipped = skipped_in(model_.plan(), n);
    unit(parts, "mixer", mixers.read_by, system_.row->drops, skipped, x,
         [&](const Tensor& in, const lcsm::BlockContext& context) {
           return mixed(model_, n, in, context, carried_);
         });
    if (mixers.feed)
      unit(parts, "feed", mixers.feed_read_by, true, skipped, x,
           [&](const Tensor& in, const lcsm::BlockContext& context) {
             return mixers.feed(parts.at("feed"), in, context).output;
           });
  }

 private:
  Tensor drop(const Tensor& x) const {
    return system_.row->tied ? dropout_.over_steps(x, share_) : dropout_(x, share_);
  }

  template <class Update>
  void unit(const Parts& parts, const std::string& name, ReadBy read_by, bool drops, double skipped,
            Stream* x, const Update& update_of) const {
    const std::string norm_name = name + "_norm";
    lcsm::BlockContext context = context_;
    const Tensor in = system_.post ? x->x() : norm(parts, norm_name, x, read_by);
    context.residual = x->x();
    const Tensor update = update_of(in, context);
    x->add(dropout_.of_examples(drops ? drop(update) : update, skipped));
    if (system_.post) x->set(norm(parts, norm_name, x));
  }

  const Model& model_;
  const System& system_;
  lcsm::BlockContext context_;
  const double share_;
  Dropout& dropout_;
  Carried* carried_;
};

Tensor source(const Model& model, const Inputs& inputs, Dropout& dropout, Carried* carried) {
  const Source skeleton(model, inputs, dropout, carried);
  const System& system = *model.plan().config.system();
  const double scale = system.row->embedding_scaled ? root_of_width(model) : 1;
  Stream x(model, embedded(model, inputs, scale));
  if (system.row->embedding_normed) x.set(skeleton.norm(model.around(), "embedding_norm", &x));
  x.set(dropout(x.x(), model.plan().config.real("model.embedding_dropout"_key)));
  for (std::size_t n = 0; n < model.layers().size(); ++n) skeleton.layer(n, &x);
  return system.post ? x.x()
                     : skeleton.norm(model.around(), "final_norm", &x, head_reads(model.plan()));
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
