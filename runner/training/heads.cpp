#include "runner/training/heads.h"

#include <ATen/ops/index_select.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "runner/training/head_loss.h"

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
  return cross_entropy_sum(scored(hidden, batch), model.head(), batch.targets, precision);
}

Score token_score(const Model& model, const Tensor& hidden, const Batch& batch,
                  Precision precision) {
  return cross_entropy_score(scored(hidden, batch), model.head(), batch.targets, precision);
}

double token_guess(const Model& model) {
  return std::log(static_cast<double>(model.head().size(0)));
}

constexpr std::array kRows = {
    HeadRow{"tokens", token_loss, token_score, token_guess},
};

}  // namespace

const HeadRow& head_of(const ModelPlan& plan) {
  const std::string_view name = plan.config.task().head;
  for (const HeadRow& row : kRows)
    if (row.name == name) return row;
  throw std::logic_error("training: no row of heads for '" + std::string(name) + "'");
}

}  // namespace runner
