// The inputs of a model, and the stage that embeds them: one row for each kind of inputs that
// task_rows.h names.
#pragma once

#include <string_view>

#include "runner/data/batches/batch.h"
#include "runner/models/families/model_tensors.h"

namespace runner {

class Model;

struct InputRow {
  std::string_view name;  // as in TaskRow::inputs
  // -> [B, T, d]. Throws std::invalid_argument: expected, got.
  at::Tensor (*embed)(const Model& model, const Inputs& inputs);
};

const InputRow& inputs_of(const ModelPlan& plan);

}  // namespace runner
