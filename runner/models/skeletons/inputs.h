// Embeds the inputs of a model, one row per kind of inputs in task_rows.h.
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
