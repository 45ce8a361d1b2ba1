#include "ets/layer/output.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/glu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>

#include "lcsm/base/row_names.h"
#include "lcsm/layer/layer.h"

namespace ets {
namespace {

using at::Tensor;

Tensor gated_output(const std::string& kind, const lcsm::Weights& weights, const Tensor& y,
                    const Tensor& h) {
  const Tensor gate = at::sigmoid(lcsm::project(weights, "gate", h));
  if (kind == "half_glu1") return h * gate;
  if (kind == "half_glu2") return y * gate;
  return lcsm::project(weights, "output", h) * gate;
}

}  // namespace

Tensor output_of(const lcsm::Block& v, const lcsm::Weights& weights, const Tensor& y,
                 const FilterContext& context) {
  if (v.row == &kEma) return at::silu(y);
  if (lcsm::row_named(v.options.rows(), "output") == nullptr) return y;
  const std::string& kind = v.options.text("output");
  if (kind == "none") return y;
  const Tensor g = at::gelu(y, v.row == &kS5 ? "tanh" : "none");
  if (kind == "gelu") return g;  // the model's dropout is the authors' only one
  const Tensor h = context.drop ? context.drop(g) : g;
  if (kind.find("_glu") != std::string::npos) return gated_output(kind, weights, y, h);
  const Tensor z = lcsm::project(weights, "output", h);
  return kind == "glu" ? at::glu(z, -1) : z;
}

}  // namespace ets
