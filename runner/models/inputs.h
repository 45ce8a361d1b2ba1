// The inputs of a model, and the stage that embeds them: one row for each kind of inputs that
// task_rows.h names.
#pragma once

#include <ATen/core/Tensor.h>

#include <string_view>

#include "runner/families/model_tensors.h"

namespace runner {

class Model;

// A pair of texts is two consecutive examples. Whatever only some tasks have in addition (a
// mask) is another tensor here, undefined for all other tasks.
struct Inputs {
  at::Tensor values;        // "tokens": [B, T], int64; "numbers": [B, T, channels]
  at::Tensor padding = {};  // [B, T] of bool: true where nothing is; undefined: none

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
