#include "runner/models/skeletons/source.h"

#include "runner/config/keys/model_keys.h"
#include "runner/models/skeletons/stages.h"

namespace runner {

using at::Tensor;
using lcsm::ReadBy;

Source::Source(const Model& model, const Inputs& inputs, Dropout& dropout)
    : model_(model),
      system_(*model.plan().config.system()),
      context_(context_of(model, inputs, dropout)),
      share_(model.plan().config.real("model.dropout"_key)),
      dropout_(dropout) {
  if (dropout.drops() && share_ > 0) context_.drop = [this](const Tensor& x) { return drop(x); };
}

Tensor Source::drop(const Tensor& x) const {
  return system_.row->tied ? dropout_.over_steps(x, share_) : dropout_(x, share_);
}

Tensor Source::begin(const Inputs& inputs, double scale) {
  Tensor x = embedded(model_, inputs, scale);
  if (system_.row->embedding_normed) {
    Stream stream(model_, x);
    x = norm(model_.around(), "embedding_norm", &stream);
  }
  return dropout_(x, model_.plan().config.real("model.embedding_dropout"_key));
}

Tensor Source::norm(const Parts& parts, const std::string& name, Stream* x, ReadBy read_by) const {
  static const lcsm::Weights none;
  const auto found = parts.find(name);
  return x->normed(system_.norm, found == parts.end() ? none : found->second, read_by,
                   dropout_.drops());
}

void Source::unit(const Unit& unit, const UpdateOf& update_of, Stream* x) const {
  const Parts& parts = model_.layers()[unit.layer];
  const std::string norm_name = unit.name + "_norm";
  lcsm::BlockContext context = context_;
  const bool post = system_.norm_place == "post";
  const Tensor in = post ? x->x() : norm(parts, norm_name, x, unit.read_by);
  context.residual = x->x();
  const Tensor update = update_of(in, context);
  x->add(dropout_.of_examples(unit.drops ? drop(update) : update,
                              skipped_in(model_.plan(), unit.layer)));
  if (post) x->set(norm(parts, norm_name, x));
}

void Source::feed(std::size_t n, const std::string& name, Stream* x, Carried* carried) const {
  const LayerMixers& mixers = model_.mixers()[n];
  if (!mixers.feed) return;
  unit(
      {n, name, mixers.feed_read_by},
      [&](const Tensor& in, const lcsm::BlockContext& context) {
        return fed(model_, n, name, in, context, carried);
      },
      x);
}

void Source::layer(std::size_t n, Stream* x, Carried* carried) const {
  unit(
      {n, "mixer", model_.mixers()[n].read_by, system_.row->drops},
      [&](const Tensor& in, const lcsm::BlockContext& context) {
        return mixed(model_, n, in, context, carried);
      },
      x);
  feed(n, "feed", x, carried);
}

Tensor Source::end(const std::string& norm_name, Stream* x, ReadBy read_by) const {
  return system_.norm_place == "pre" ? norm(model_.around(), norm_name, x, read_by) : x->x();
}

Tensor source_hidden(const Model& model, const Inputs& inputs, Dropout& dropout, Carried* carried) {
  Source skeleton(model, inputs, dropout);
  const bool scaled = model.plan().config.system()->row->embedding_scaled;
  Stream x(model, skeleton.begin(inputs, scaled ? root_of_width(model) : 1));
  for (std::size_t n = 0; n < model.layers().size(); ++n) skeleton.layer(n, &x, carried);
  return skeleton.end("final_norm", &x, head_reads(model.plan()));
}

}  // namespace runner
