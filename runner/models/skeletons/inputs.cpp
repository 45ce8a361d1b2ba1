#include "runner/models/skeletons/inputs.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/matmul.h>

#include <array>
#include <stdexcept>

#include "lcsm/base/row_names.h"
#include "runner/config/keys/task_rows.h"
#include "runner/models/skeletons/model.h"

namespace runner {
namespace {

at::Tensor embed_tokens(const Model& model, const Inputs& inputs) {
  const at::Tensor& tokens = inputs.values;
  if (tokens.dim() != 2 || tokens.scalar_type() != at::kLong)
    throw std::invalid_argument("model: expected tokens [B, T] of dtype int64, got " +
                                c10::str(tokens.scalar_type(), " ", tokens.sizes()));
  return model.banded() ? model.banded()->embed(tokens) : at::embedding(model.embedding(), tokens);
}

// x w + b, [B, T, d]
at::Tensor embed_numbers(const Model& model, const Inputs& inputs) {
  const lcsm::Weights& weights = model.around().at("numbers");
  const at::Tensor &x = inputs.values, &w = weights.at("weight");
  if (x.dim() != 3 || x.size(2) != w.size(0))
    throw std::invalid_argument(
        c10::str("model: expected numbers [B, T, ", w.size(0), "], got ", x.sizes()));
  return at::matmul(x.to(w.scalar_type()), w) + weights.at("bias");
}

constexpr std::array kInputRows = {
    InputRow{"tokens", embed_tokens},
    InputRow{"numbers", embed_numbers},
    InputRow{"sentences", embed_tokens},
};
static_assert(has_rows(kInputRows, &TaskRow::inputs), "each task needs inputs");

}  // namespace

const InputRow& inputs_of(const ModelPlan& plan) {
  return *lcsm::row_named(kInputRows, plan.config.task().inputs);
}

}  // namespace runner
