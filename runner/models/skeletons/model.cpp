#include "runner/models/skeletons/model.h"

#include <ATen/ops/empty.h>

#include <stdexcept>

#include "lcsm/tensors/product.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/run_keys.h"
#include "runner/models/skeletons/skeletons.h"

namespace runner {

using at::Tensor;

Model::Model(ModelPlan plan, const at::TensorOptions& options)
    : plan_(std::move(plan)), mixers_(mixers_of(plan_)) {
  require_bands(plan_);
  const lcsm::Sizes sizes = sizes_of(plan_);
  const auto seed = static_cast<std::uint64_t>(plan_.config.integer("seed"_key));
  layers_.resize(static_cast<std::size_t>(plan_.config.integer("model.layers"_key)));
  for (const lcsm::Parameter& p : tensors_of(plan_)) {
    Tensor tensor = options.device().is_meta() ? at::empty(p.shape, options)
                                               : lcsm::first_values(p, sizes, seed).to(options);
    tensor.requires_grad_(p.learned);
    parameters_.push_back({p.name, tensor, lcsm::group_of(p), p.learned});
    file(p.name, tensor);
  }
  make_bands();
}

void Model::make_bands() {
  if (const std::vector<Band> bands = bands_of(plan_.config, plan_.vocab); !bands.empty())
    banded_.emplace(bands, around_.at("embedding"), around_.at("bands").at("weight"));
}

void Model::set_parameters(const std::vector<Tensor>& tensors) {
  for (std::size_t n = 0; n < parameters_.size(); ++n) {
    parameters_[n].tensor = tensors.at(n);
    file(parameters_[n].name, tensors[n]);
  }
  make_bands();
}

// "layers.3.mixer.input.weight" is "input.weight" of the part "mixer" of layer 3, and
// "shared.mixer.lower_bound" is "lower_bound" of the part "mixer" of every layer.
void Model::file(const std::string& name, const Tensor& tensor) {
  static constexpr std::string_view kLayers = "layers.", kShared = "shared.";
  const auto put = [&](Parts& parts, std::size_t part) {
    const std::size_t dot = name.find('.', part);
    parts[name.substr(part, dot - part)][name.substr(dot + 1)] = tensor;
  };
  if (name.starts_with(kLayers)) {
    put(layers_.at(std::stoul(name.substr(kLayers.size()))), name.find('.', kLayers.size()) + 1);
  } else if (name.starts_with(kShared)) {
    for (Parts& layer : layers_) put(layer, kShared.size());
  } else {
    put(around_, 0);
  }
}

Tensor Model::hidden(const Inputs& inputs, Dropout& dropout, Carried* carried) const {
  if (inputs.begin.value_or(0) > 0 && (carried == nullptr || !can_go_on(*carried)))
    throw std::invalid_argument(
        "model: expected the state after the steps before, got none: not all of its layers have "
        "one; give whole sequences");
  if (carried != nullptr) carried->resize(layers_.size() * (inputs.begin ? 2 : 1));
  const Tensor h = skeleton_of(plan_).hidden(*this, inputs, dropout, carried);
  if (carried != nullptr)
    for (lcsm::BlockState& layer : *carried)
      for (auto& [name, tensor] : layer) tensor = tensor.detach().contiguous();
  return h;
}

void Model::before_mixers(const std::function<void(std::size_t)>& before) {
  for (std::size_t n = 0; n < mixers_.size(); ++n)
    mixers_[n].mix = [before, n, mix = mixers_[n].mix](const lcsm::Weights& weights,
                                                       const Tensor& x,
                                                       const lcsm::BlockContext& context) {
      before(n);
      return mix(weights, x, context);
    };
}

Tensor Model::logits(const Tensor& rows) const {
  return banded_ ? banded_->log_probabilities(rows) : lcsm::affine(rows, head());
}

Model make_model(const RunConfig& config, std::int64_t vocab, const at::TensorOptions& options) {
  return Model(plan_model(config, vocab), options);
}

}  // namespace runner
