#include "ets/layer/s4pp.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>

#include <cmath>

#include "ets/families/s4pp.h"
#include "ets/layer/attention.h"
#include "ets/layer/part.h"
#include "ets/machines/state.h"
#include "lcsm/layer/layer.h"

namespace ets {

using at::Tensor;

LayerResult s4pp_forward(const Variant& v, const Weights& weights, const Tensor& x,
                         const Context& context) {
  refuse_unknown_state(context.state, {});
  const auto dropped = [&](const Tensor& y) { return context.drop ? context.drop(y) : y; };
  const auto project = [&](const char* name, const Tensor& in) {
    return lcsm::project(weights, name, in);
  };
  const Tensor m = dropped(part_forward(s4pp_filter(v), "filter.", weights, x, context).output);
  const Tensor q = at::silu(project("query", x)), k = at::silu(project("key", m)),
               values = at::silu(project("value", x));
  const bool by_keys = v.options.text("divisor") == "keys";
  Attention form = attention_of(v, weights, x.size(1));
  form.factor = 1 / std::sqrt(static_cast<double>(by_keys ? q.size(2) : v.d));
  const Tensor o = attended(form, weights, q, k, values, context.padding, context.on());
  const Tensor read = project("hidden", at::silu(project("reset", m)) * o);
  const Tensor hidden = dropped(at::silu(read + project("state", m)));
  const Tensor residual = context.residual.defined() ? context.residual : x;
  return {at::sigmoid(project("update", m)) * (hidden - residual), {}};
}

}  // namespace ets
