// The gated Toeplitz unit of TNN: y = W_o (silu(W_u x) T(silu(W_v x))), T its filter;
// W_u is gate, W_v value, W_o output, all with biases.
#include "ets/families/tnn.h"

#include <ATen/ops/silu.h>

#include "ets/layer/layer.h"
#include "lcsm/tensors/gated.h"

namespace ets {

lcsm::BlockResult Tnn::forward(const lcsm::Weights& weights, const at::Tensor& x,
                               const FilterContext& context) const {
  const auto project = [&](const char* name, const at::Tensor& in) {
    return lcsm::project(weights, name, in);
  };
  Filter lags = filter(weights, x.size(1), context.gpu);
  lags.backward_lag = kBackwardLag;
  const FilterResult values = filtered(context.filters_on(), lags, at::silu(project("value", x)),
                                       context.padding, context.state);
  const at::Tensor gated =
      lcsm::gated(lcsm::Activation::kSilu, project("gate", x), values.y, context.gpu);
  return {project("output", gated), values.state};
}

}  // namespace ets
