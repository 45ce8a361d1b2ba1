// ETSMLP: y = W2 relu(S(W1 x)), times sigmoid(Wg x) with a gate; S is the smoothing and its norm,
// which may stand at three other places. Padded positions are zero after W1. If the smoothing is
// before W1, the gate reads the smoothed input.
#include "ets/families/etsmlp.h"

#include <ATen/ops/relu.h>

#include "ets/layer/part.h"
#include "lcsm/layer/layer.h"
#include "lcsm/tensors/gated.h"
#include "lcsm/tensors/norm.h"

namespace ets {

lcsm::BlockResult Etsmlp::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                  const FilterContext& context) const {
  lcsm::BlockState state;
  const auto smoothed_at = [&](const decltype(place)& here, const at::Tensor& y) {
    if (place != here) return y;
    lcsm::BlockResult smooth = part_forward(smoothing(), "smooth.", weights, y, context);
    state = std::move(smooth.state);
    if (smooth_norm == "none") return smooth.output;
    return lcsm::normed_sum(
               {.weight = weights.at("smooth_norm.weight"), .bias = weights.at("smooth_norm.bias")},
               {}, smooth.output, lcsm::ReadBy::kAnything, context.gpu)
        .normed;
  };
  const at::Tensor in = smoothed_at("before_in", x);
  at::Tensor y = lcsm::project(weights, "input", in);
  if (context.padding.defined()) y = y.masked_fill(context.padding.unsqueeze(-1), 0);
  y = smoothed_at("after_act", at::relu(smoothed_at("before_act", y)));
  y = smoothed_at("after_out", lcsm::project(weights, "output", y));
  if (gate)
    y = lcsm::gated(lcsm::Activation::kSigmoid, lcsm::project(weights, "gate", in), y, context.gpu);
  return {y, std::move(state)};
}

}  // namespace ets
