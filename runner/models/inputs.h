// What a batch gives a model to read, and the model's first stage: a row for each kind of inputs
// that task_rows.h names.
#pragma once

#include <ATen/core/Tensor.h>

#include <string_view>

#include "runner/config/model_tensors.h"

namespace runner {

class Model;

// Two texts that belong together are two examples in a row. What only some tasks have beside the
// values (lengths, a mask) is a tensor more, undefined in all others.
struct Inputs {
  at::Tensor values;  // "tokens": [B, T], int64

  std::int64_t length() const { return values.size(1); }
  std::int64_t positions() const { return values.size(0) * values.size(1); }
};

struct InputRow {
  std::string_view name;  // as in TaskRow::inputs
  // -> [B, T, d]. Throws std::invalid_argument: expected, got.
  at::Tensor (*embed)(const Model& model, const Inputs& inputs);
};

const InputRow& inputs_of(const ModelPlan& plan);

}  // namespace runner
