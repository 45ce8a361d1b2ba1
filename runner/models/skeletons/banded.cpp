#include "runner/models/skeletons/banded.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_log_softmax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <string>

#include "lcsm/tensors/product.h"

namespace runner {

using at::Tensor;

Banded::Banded(const std::vector<Band>& bands, const lcsm::Weights& embedding, Tensor clusters)
    : clusters_(std::move(clusters)) {
  for (std::size_t i = 0; i < bands.size(); ++i) {
    const std::string name = std::to_string(i);
    bands_.push_back({bands[i], embedding.at(name + ".weight"), embedding.at(name + ".project")});
  }
}

Tensor Banded::bands_of_tokens(const Tensor& tokens) const {
  Tensor of = at::zeros_like(tokens);
  for (std::size_t i = 1; i < bands_.size(); ++i) of.add_(tokens.gt(bands_[i].band.first - 1));
  return of;
}

Tensor Banded::embed(const Tensor& tokens) const {
  const Tensor flat = tokens.flatten(), of = bands_of_tokens(flat);
  const std::int64_t d = bands_[0].project.size(0);
  Tensor x = at::zeros({flat.size(0), d}, bands_[0].weight.options());
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    const BandTensors& band = bands_[i];
    const Tensor at = of.eq(static_cast<std::int64_t>(i)).nonzero().flatten();
    const Tensor vectors = at::embedding(band.weight, flat.index_select(0, at) - band.band.first);
    x = x.index_copy(0, at, lcsm::affine(vectors, band.project).to(x.scalar_type()));
  }
  return x.view({tokens.size(0), tokens.size(1), d});
}

Tensor Banded::first_head() const { return at::cat({bands_[0].weight, clusters_}); }

Tensor Banded::log_probabilities(const Tensor& h) const {
  const auto log_softmax = [](const Tensor& logits) {
    return at::_log_softmax(logits, logits.dim() - 1, false);
  };
  const Tensor first = log_softmax(lcsm::affine(h, first_head()));
  const std::int64_t tokens = bands_[0].band.tokens;
  std::vector<Tensor> parts = {first.narrow(-1, 0, tokens)};
  for (std::size_t i = 1; i < bands_.size(); ++i) {
    const Tensor narrow = lcsm::affine(h, bands_[i].project.t());
    const Tensor band = first.narrow(-1, tokens + static_cast<std::int64_t>(i) - 1, 1);
    parts.push_back(band + log_softmax(lcsm::affine(narrow, bands_[i].weight)));
  }
  return at::cat(parts, -1);
}

}  // namespace runner
