#include "runner/models/skeletons/outputs.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tanh.h>

#include "lcsm/tensors/product.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/task_row.h"

namespace runner {
namespace {

using at::Tensor;

// [B, d]: of the steps that are not padding.
Tensor mean_of(const Tensor& hidden, const Tensor& padding) {
  if (!padding.defined()) return hidden.mean(1);
  const Tensor there = padding.logical_not().unsqueeze(2).to(hidden.scalar_type());
  return hidden.masked_fill(padding.unsqueeze(2), 0).sum(1) / there.sum(1);
}

// Documents a, b follow each other: [2 B, d] -> [B, 2 d or 4 d].
Tensor paired(const Model& model, const Tensor& means) {
  const Tensor pairs = means.view({-1, 2, means.size(1)});
  const Tensor a = pairs.select(1, 0), b = pairs.select(1, 1);
  if (model.plan().config.is("model.pair"_key, "concat")) return at::cat({b, a}, 1);
  return at::cat({a, b, a * b, a - b}, 1);
}

}  // namespace

Tensor head_linear(const Model& model, const std::string& part, const Tensor& x) {
  const lcsm::Weights& weights = model.around().at(part);
  return lcsm::affine(x, weights.at("weight"), weights.at("bias"));
}

Tensor class_features(const Model& model, const Tensor& hidden, const Tensor& padding) {
  const RunConfig& config = model.plan().config;
  Tensor x = mean_of(hidden, padding);
  if (config.task().head == "pairs") x = paired(model, x);
  if (config.is("model.head"_key, "linear")) return x;
  x = head_linear(model, "head_hidden", x);
  if (config.is("model.head"_key, "tanh")) return at::tanh(x);
  return config.is("model.head"_key, "gelu") ? at::gelu(x) : at::relu(x);
}

Tensor outputs_of(const Model& model, const Tensor& hidden, const Tensor& padding) {
  const std::string_view head = model.plan().config.task().head;
  if (head == "tokens") return model.logits(hidden);
  if (head == "values") return head_linear(model, "head", hidden).squeeze(-1);
  return lcsm::affine(class_features(model, hidden, padding),
                      model.around().at("head").at("weight"));
}

}  // namespace runner
