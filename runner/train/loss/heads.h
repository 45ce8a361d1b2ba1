// The heads that score a model's output, one row each, as named in task_rows.h.
#pragma once

#include "runner/data/batches/task_data.h"
#include "runner/models/skeletons/model.h"
#include "runner/train/loss/precision.h"
#include "runner/train/loss/score.h"

namespace runner {

struct HeadRow {
  std::string_view name;  // as in TaskRow::head

  // `weight` times the loss summed over the batch's targets, with autograd. hidden: [B, T, d].
  at::Tensor (*loss)(const Model& model, const at::Tensor& hidden, const Batch& batch,
                     Precision precision, double weight);
  Score (*score)(const Model& model, const at::Tensor& hidden, const Batch& batch,
                 Precision precision);
  double (*guess)(const Model& model);  // the loss per target of a uniform guess
};

const HeadRow& head_of(const ModelPlan& plan);

}  // namespace runner
