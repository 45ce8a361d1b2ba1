#include "ets/layer/tnn.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/silu.h>

#include "lcsm/tensors/product.h"

namespace ets {

lcsm::BlockResult tnn_forward(const lcsm::Block& v, const lcsm::Weights& weights,
                              const at::Tensor& x, const FilterContext& context) {
  const auto project = [&](const std::string& name, const at::Tensor& in) {
    return lcsm::affine(in, weights.at(name + ".weight"), weights.at(name + ".bias"));
  };
  Filter filter = tnn_filter(weights, v.options, x.size(1));
  filter.backward_lag = static_cast<std::int64_t>(v.row->backward_lag);
  const FilterResult values = filtered(context.machine, filter, at::silu(project("value", x)),
                                       context.padding, context.state);
  return {project("output", at::silu(project("gate", x)) * values.y), values.state};
}

}  // namespace ets
