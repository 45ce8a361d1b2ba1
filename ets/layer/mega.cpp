// The gated attention of MEGA:
//   v = silu(W_v x), m = drop(EMA(x)), or x with modes=0, [u, (z, r), h'] = W_m m,
//   u a sigmoid, z and r through silu, q = scale_0 z + shift_0, k = scale_1 z + shift_1,
//   y = u (drop(silu(h' + W_h (r A v))) - residual), A of attention.h, f = 1 / sqrt(width of z).
// In training, attention_dropout also drops A, and hidden_dropout v, as in the authors' code.
#include "ets/families/mega.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>

#include <cmath>

#include "ets/layer/attention.h"
#include "ets/layer/layer.h"
#include "ets/layer/part.h"
#include "ets/machines/machines.h"
#include "lcsm/layer/layer.h"

namespace ets {

using at::Tensor;

lcsm::BlockResult Mega::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                const FilterContext& context) const {
  lcsm::refuse_unknown_state(context.state, {});
  const Tensor read_values = at::silu(lcsm::project(weights, "value", x));
  const Tensor average =
      modes == 0 ? x
                 : lcsm::dropped(context,
                                 part_forward(averages(), "average.", weights, x, context).output);
  const Tensor &scale = weights.at("scale"), &shift = weights.at("shift");
  const std::int64_t d = x.size(2), width = scale.size(1), inner = read_values.size(2);
  const auto base =
      lcsm::project(weights, "base", average).split_with_sizes({d, width + inner, d}, -1);
  const Tensor update = at::sigmoid(base[0]), shared_reset = at::silu(base[1]);
  const Tensor shared = shared_reset.narrow(-1, 0, width),
               reset = shared_reset.narrow(-1, width, inner);
  Attention form = attention_of(kName, *this, weights, x.size(1));
  form.kind = attention.text();
  form.factor = 1 / std::sqrt(static_cast<double>(width));
  if (context.drop_share && attention_dropout > 0)
    form.drop = [&](const Tensor& y) { return lcsm::dropped(context, y, attention_dropout); };
  const Tensor read =
      attended(form, weights, shared * scale[0] + shift[0], shared * scale[1] + shift[1],
               lcsm::dropped(context, read_values, hidden_dropout), context.padding, context.on());
  const Tensor hidden =
      lcsm::dropped(context, at::silu(base[2] + lcsm::project(weights, "hidden", read * reset)));
  return {update * (hidden - (context.residual.defined() ? context.residual : x)), {}};
}

// y = W_down silu(W_up x), each step by itself.
lcsm::BlockResult MegaFeed::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                    const FilterContext& context) const {
  lcsm::refuse_unknown_state(context.state, {});
  const Tensor inside = at::silu(lcsm::project(weights, "up", x));
  return {lcsm::project(weights, "down", lcsm::dropped(context, inside, hidden_dropout)), {}};
}

}  // namespace ets
