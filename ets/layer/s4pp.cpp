// S4++, by the numbers of its paper's equations:
//   (18, 19)  m = drop(S4+(x)), the filter
//   (20 - 22) q = silu(W_q x), k = silu(W_k m), v = silu(W_v x)
//   (23)      o = A v, A of attention.h, f = 1 / sqrt(d)
//   (24 - 26) h = drop(silu(W_h (silu(W_r m) o) + W_s m))
//   (27, 28)  u = sigmoid(W_u m), y = u (h - residual)
// or, combine=sum:
//   (16)      y = m + A W_v x, q = W_q x, k = W_k m, f = 1
#include "ets/families/s4pp.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>

#include <cmath>

#include "ets/layer/attention.h"
#include "ets/layer/part.h"
#include "ets/machines/machines.h"
#include "lcsm/layer/layer.h"

namespace ets {

using at::Tensor;

lcsm::BlockResult S4pp::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                const FilterContext& context) const {
  lcsm::refuse_unknown_state(context.state, {});
  const auto project = [&](const char* name, const Tensor& in) {
    return lcsm::project(weights, name, in);
  };
  const Tensor m = lcsm::dropped(
      context, kernel == "s4" ? part_forward(s4(), "filter.", weights, x, context).output
                              : part_forward(s4d(), "filter.", weights, x, context).output);
  Attention form = attention_of(kName, *this, weights, x.size(1));
  if (combine == "sum")
    return {m + attended(form, weights, project("query", x), project("key", m), project("value", x),
                         context.padding, context.on()),
            {}};
  const Tensor queries = at::silu(project("query", x)), read_keys = at::silu(project("key", m)),
               read_values = at::silu(project("value", x));
  const bool by_keys = divisor == "keys";
  form.factor = 1 / std::sqrt(static_cast<double>(by_keys ? queries.size(2) : x.size(2)));
  const Tensor o =
      attended(form, weights, queries, read_keys, read_values, context.padding, context.on());
  const Tensor read = project("hidden", at::silu(project("reset", m)) * o);
  const Tensor hidden = lcsm::dropped(context, at::silu(read + project("state", m)));
  const Tensor residual = context.residual.defined() ? context.residual : x;
  return {at::sigmoid(project("update", m)) * (hidden - residual), {}};
}

}  // namespace ets
