#include "ets/layer/output.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/glu.h>
#include <ATen/ops/sigmoid.h>

#include "lcsm/layer/layer.h"

namespace ets {
namespace {

using at::Tensor;

Tensor gated_output(std::string_view kind, const lcsm::Weights& weights, const Tensor& y,
                    const Tensor& h) {
  const Tensor gate = at::sigmoid(lcsm::project(weights, "gate", h));
  if (kind == "half_glu1") return h * gate;
  if (kind == "half_glu2") return y * gate;
  return lcsm::project(weights, "output", h) * gate;
}

}  // namespace

Tensor output_of(std::string_view kind, bool approximate, const lcsm::Weights& weights,
                 const Tensor& y, const FilterContext& context) {
  if (kind == "none") return y;
  const Tensor g = at::gelu(y, approximate ? "tanh" : "none");
  if (kind == "gelu") return g;  // the authors drop in the model only, not here
  const Tensor h = lcsm::dropped(context, g);
  if (kind.find("_glu") != std::string_view::npos) return gated_output(kind, weights, y, h);
  const Tensor z = lcsm::project(weights, "output", h);
  return kind == "glu" ? at::glu(z, -1) : z;
}

}  // namespace ets
