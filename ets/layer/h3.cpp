// H3: queries, keys and values around two filters.
//   k' = shift filter(k) + shift.skip k,  y = q (S4D(k' v) + skip k' v),  out = W_o y + b
// A head has n channels and a diagonal filter of its own. k' v is the outer product of the head's
// keys and values, [n, n]; q sums over the keys. Channels are ordered as in the authors' code: q, k
// and v by (head, n), y by (n, head).
#include "ets/families/h3.h"

#include <ATen/TensorOperators.h>

#include "ets/layer/part.h"

namespace ets {
using at::Tensor;

lcsm::BlockResult H3::forward(const lcsm::Weights& weights, const at::Tensor& x,
                              const FilterContext& context) const {
  const Tensor& padding = context.padding;
  const lcsm::BlockState& state = context.state;
  const std::int64_t B = x.size(0), T = x.size(1), n = head_size, d = x.size(2), H = d / n;
  const auto project = [&](const char* name, const Tensor& in) {
    return lcsm::project(weights, name, in);
  };
  const Tensor q = project("query", x), k = project("key", x), value = project("value", x);
  const FilterResult shift =
      filtered(context.filters_on(), shift_filter(weights), k, padding, part_of(state, "shift."));
  const Tensor key = shift.y + weights.at("shift.skip") * k;
  // [B, T, H, n] each; products [B, n key, n value, T, H]
  const auto heads = [&](const Tensor& flat) { return flat.reshape({B, T, H, n}); };
  const Tensor kv = (heads(key).unsqueeze(4) * heads(value).unsqueeze(3)).permute({0, 3, 4, 1, 2});
  const Tensor rows = kv.reshape({B * n * n, T, H});
  const Tensor row_padding =
      padding.defined() ? padding.unsqueeze(1).expand({B, n * n, T}).reshape({B * n * n, T})
                        : padding;
  const FilterResult diagonal = filtered(
      context.filters_on(), diagonal_filter(weights, discretization.text(), step, T, context.gpu),
      rows, row_padding, part_of(state, "diagonal."));
  const Tensor y = (diagonal.y + weights.at("skip") * rows).view({B, n, n, T, H});
  const Tensor read = (y * heads(q).permute({0, 3, 1, 2}).unsqueeze(2)).sum(1);  // [B, n, T, H]
  lcsm::BlockResult result;
  result.output = project("output", read.permute({0, 2, 1, 3}).reshape({B, T, d}));
  put_part(shift.state, "shift.", &result.state);
  put_part(diagonal.state, "diagonal.", &result.state);
  return result;
}

}  // namespace ets
