#include "runner/train/loss/heads.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tanh.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "lcsm/tensors/product.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/task_row.h"
#include "runner/train/loss/head_loss.h"

namespace runner {
namespace {

using at::Tensor;

// The scored outputs, [N, d].
Tensor scored(const Tensor& hidden, const Batch& batch) {
  const Tensor h = hidden.flatten(0, 1);
  return batch.rows.defined() ? h.index_select(0, batch.rows) : h;
}

Tensor token_loss(const Model& model, const Tensor& hidden, const Batch& batch,
                  Precision precision) {
  const Tensor h = scored(hidden, batch);
  if (model.banded())
    return band_loss_sum(h, *model.banded(), batch.targets, precision, model.on().gpu);
  const RunConfig& config = model.plan().config;
  const double smoothing =
      config.at("optim.smoothing"_key).used ? config.real("optim.smoothing"_key) : 0;
  return cross_entropy_sum(h, model.head(), batch.targets, precision, model.on().gpu, smoothing);
}

Score token_score(const Model& model, const Tensor& hidden, const Batch& batch,
                  Precision precision) {
  const Tensor h = scored(hidden, batch);
  if (model.banded())
    return band_loss_score(h, *model.banded(), batch.targets, precision, model.on().gpu);
  return cross_entropy_score(h, model.head(), batch.targets, precision, model.on().gpu);
}

double token_guess(const Model& model) { return std::log(static_cast<double>(model.plan().vocab)); }

// ----- Classes: the mean over an example's steps, a hidden layer or none, a matrix -----

Tensor linear(const Model& model, const std::string& part, const Tensor& x) {
  const lcsm::Weights& weights = model.around().at(part);
  return lcsm::affine(x, weights.at("weight"), weights.at("bias"));
}

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

// The input of the last matrix, [B, width].
Tensor features(const Model& model, const Tensor& hidden, const Batch& batch) {
  const RunConfig& config = model.plan().config;
  Tensor x = mean_of(hidden, batch.inputs.padding);
  if (config.task().head == "pairs") x = paired(model, x);
  if (config.is("model.head"_key, "linear")) return x;
  x = linear(model, "head_hidden", x);
  if (config.is("model.head"_key, "tanh")) return at::tanh(x);
  return config.is("model.head"_key, "gelu") ? at::gelu(x) : at::relu(x);
}

const Tensor& own_matrix(const Model& model) { return model.around().at("head").at("weight"); }

Tensor class_loss(const Model& model, const Tensor& hidden, const Batch& batch,
                  Precision precision) {
  if (batch.shares.defined())
    return shared_entropy_sum(features(model, hidden, batch), own_matrix(model), batch.shares);
  return cross_entropy_sum(features(model, hidden, batch), own_matrix(model), batch.targets,
                           precision, model.on().gpu);
}

Score class_score(const Model& model, const Tensor& hidden, const Batch& batch,
                  Precision precision) {
  Tensor right;
  Score score = cross_entropy_score(features(model, hidden, batch), own_matrix(model),
                                    batch.targets, precision, model.on().gpu, &right);
  const Tensor positive = batch.targets.eq(1);
  score[Sum::kPositive] = positive.sum().item<double>();
  score[Sum::kRightPositive] = right.mul(positive).sum(at::kDouble).item<double>();
  return score;
}

double class_guess(const Model& model) {
  return std::log(static_cast<double>(own_matrix(model).size(0)));
}

// ----- Values: a linear layer at the scored positions, squared errors -----

Tensor value_loss(const Model& model, const Tensor& hidden, const Batch& batch, Precision) {
  const Tensor y = linear(model, "head", scored(hidden, batch)).flatten();
  return (y - batch.targets.to(y.scalar_type())).square().sum();
}

Score value_score(const Model& model, const Tensor& hidden, const Batch& batch,
                  Precision precision) {
  Score score;
  score[Sum::kLoss] = value_loss(model, hidden, batch, precision).item<double>();
  score[Sum::kCount] = static_cast<double>(batch.targets.size(0));
  return score;
}

// Values have no guess without their data: only NaN and infinity count as divergence.
double value_guess(const Model&) { return std::numeric_limits<double>::infinity(); }

constexpr std::array kHeadRows = {
    HeadRow{"tokens", token_loss, token_score, token_guess},
    HeadRow{"classes", class_loss, class_score, class_guess},
    HeadRow{"pairs", class_loss, class_score, class_guess},
    HeadRow{"values", value_loss, value_score, value_guess},
};

}  // namespace

const HeadRow& head_of(const ModelPlan& plan) {
  const std::string_view name = plan.config.task().head;
  for (const HeadRow& row : kHeadRows)
    if (row.name == name) return row;
  throw std::logic_error("training: no row of heads for '" + std::string(name) + "'");
}

}  // namespace runner
