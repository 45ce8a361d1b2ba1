#include "runner/train/loss/heads.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/index_select.h>

#include <array>
#include <cmath>
#include <limits>

#include "lcsm/base/row_names.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/models/skeletons/outputs.h"
#include "runner/train/loss/head_loss.h"

namespace runner {
namespace {

using at::Tensor;

// The scored outputs, [N, d].
Tensor scored(const Tensor& hidden, const Batch& batch) {
  const Tensor h = hidden.flatten(0, 1);
  return batch.rows.defined() ? h.index_select(0, batch.rows) : h;
}

Tensor token_loss(const Model& model, const Tensor& hidden, const Batch& batch, Precision precision,
                  double weight) {
  const Tensor h = scored(hidden, batch);
  LossForm form{.precision = precision, .gpu = model.on().gpu, .weight = weight};
  if (model.banded()) return band_loss_sum(h, *model.banded(), batch.targets, form);
  const RunConfig& config = model.plan().config;
  if (config.at("optim.smoothing"_key).used) form.smoothing = config.real("optim.smoothing"_key);
  return cross_entropy_sum(h, model.head(), batch.targets, form);
}

Score token_score(const Model& model, const Tensor& hidden, const Batch& batch,
                  Precision precision) {
  const Tensor h = scored(hidden, batch);
  if (model.banded())
    return band_loss_score(h, *model.banded(), batch.targets, precision, model.on().gpu);
  return cross_entropy_score(h, model.head(), batch.targets, precision, model.on().gpu);
}

double token_guess(const Model& model) { return std::log(static_cast<double>(model.plan().vocab)); }

// ----- Classes: outputs.h has what comes before the last matrix -----

const Tensor& own_matrix(const Model& model) { return model.around().at("head").at("weight"); }

Tensor class_loss(const Model& model, const Tensor& hidden, const Batch& batch, Precision precision,
                  double weight) {
  const Tensor x = class_features(model, hidden, batch.inputs.padding);
  if (batch.shares.defined())
    return shared_entropy_sum(x, own_matrix(model), batch.shares).mul(weight);
  return cross_entropy_sum(x, own_matrix(model), batch.targets,
                           {.precision = precision, .gpu = model.on().gpu, .weight = weight});
}

Score class_score(const Model& model, const Tensor& hidden, const Batch& batch,
                  Precision precision) {
  Tensor right;
  Score score =
      cross_entropy_score(class_features(model, hidden, batch.inputs.padding), own_matrix(model),
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

Tensor value_loss(const Model& model, const Tensor& hidden, const Batch& batch, Precision,
                  double weight) {
  const Tensor y = head_linear(model, "head", scored(hidden, batch)).flatten();
  return (y - batch.targets.to(y.scalar_type())).square().sum().mul(weight);
}

Score value_score(const Model& model, const Tensor& hidden, const Batch& batch,
                  Precision precision) {
  Score score;
  score[Sum::kLoss] = value_loss(model, hidden, batch, precision, 1).item<double>();
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
static_assert(has_rows(kHeadRows, &TaskRow::head), "each task needs a head");

}  // namespace

const HeadRow& head_of(const ModelPlan& plan) {
  return *lcsm::row_named(kHeadRows, plan.config.task().head);
}

}  // namespace runner
