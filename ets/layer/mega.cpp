#include "ets/layer/mega.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>

#include <cmath>

#include "ets/layer/attention.h"
#include "ets/layer/part.h"
#include "ets/machines/state.h"
#include "lcsm/layer/layer.h"

namespace ets {

using at::Tensor;

LayerResult mega_forward(const Variant& v, const Weights& weights, const Tensor& x,
                         const Context& context) {
  refuse_unknown_state(context.state, {});
  const auto dropped = [&](const Tensor& y) { return context.drop ? context.drop(y) : y; };
  const Tensor values = at::silu(lcsm::project(weights, "value", x));
  const Tensor average =
      dropped(part_forward(part_of(v, kEma, v.d), "average.", weights, x, context).output);
  const Tensor &scale = weights.at("scale"), &shift = weights.at("shift");
  const std::int64_t z = scale.size(1), inner = values.size(2);
  const auto base =
      lcsm::project(weights, "base", average).split_with_sizes({v.d, z + inner, v.d}, -1);
  const Tensor update = at::sigmoid(base[0]), shared_reset = at::silu(base[1]);
  const Tensor shared = shared_reset.narrow(-1, 0, z), reset = shared_reset.narrow(-1, z, inner);
  Attention form = attention_of(v, weights, x.size(1));
  form.kind = v.options.text("attention");
  form.factor = 1 / std::sqrt(static_cast<double>(z));
  const Tensor read = attended(form, weights, shared * scale[0] + shift[0],
                               shared * scale[1] + shift[1], values, context.padding, context.on());
  const Tensor hidden = dropped(at::silu(base[2] + lcsm::project(weights, "hidden", read * reset)));
  return {update * (hidden - (context.residual.defined() ? context.residual : x)), {}};
}

}  // namespace ets
