#include "ets/layer/tnn.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/silu.h>

#include "lcsm/tensors/product.h"

namespace ets {

LayerResult tnn_forward(const Variant& v, const Weights& weights, const at::Tensor& x,
                        const Context& context) {
  const auto project = [&](const std::string& name, const at::Tensor& in) {
    return lcsm::affine(in, weights.at(name + ".weight"), weights.at(name + ".bias"));
  };
  Filter filter = tnn_filter(weights, v.options, x.size(1));
  filter.backward_lag = static_cast<std::int64_t>(v.family->backward_lag);
  const FilterResult values =
      filtered(context.on(), filter, at::silu(project("value", x)), context.padding, context.state);
  return {project("output", at::silu(project("gate", x)) * values.y), values.state};
}

}  // namespace ets
