#include "ets/layer/h3.h"

#include <ATen/TensorOperators.h>

#include "ets/layer/part.h"
#include "lcsm/tensors/product.h"

namespace ets {
using at::Tensor;

LayerResult h3_forward(const Variant& v, const Weights& weights, const Tensor& x,
                       const Context& context) {
  const Tensor& padding = context.padding;
  const State& state = context.state;
  const std::int64_t B = x.size(0), T = x.size(1), n = v.options.integer("head_size"), H = v.d / n;
  const auto project = [&](const std::string& name, const Tensor& in) {
    return lcsm::affine(in, weights.at(name + ".weight"), weights.at(name + ".bias"));
  };
  const Tensor q = project("query", x), k = project("key", x), value = project("value", x);
  const FilterResult shift =
      filtered(context.on(), shift_filter(weights), k, padding, part_of(state, "shift."));
  const Tensor key = shift.y + weights.at("shift.skip") * k;
  // [B, T, H, n] each; products [B, n key, n value, T, H]
  const auto heads = [&](const Tensor& flat) { return flat.reshape({B, T, H, n}); };
  const Tensor kv = (heads(key).unsqueeze(4) * heads(value).unsqueeze(3)).permute({0, 3, 4, 1, 2});
  const Tensor rows = kv.reshape({B * n * n, T, H});
  const Tensor row_padding =
      padding.defined() ? padding.unsqueeze(1).expand({B, n * n, T}).reshape({B * n * n, T})
                        : padding;
  const FilterResult diagonal =
      filtered(context.on(), s4d_filter(weights, v.options, T, context.gpu), rows, row_padding,
               part_of(state, "diagonal."));
  const Tensor y = (diagonal.y + weights.at("skip") * rows).view({B, n, n, T, H});
  const Tensor read = (y * heads(q).permute({0, 3, 1, 2}).unsqueeze(2)).sum(1);  // [B, n, T, H]
  LayerResult result;
  result.output = project("output", read.permute({0, 2, 1, 3}).reshape({B, T, v.d}));
  put_part(shift.state, "shift.", &result.state);
  put_part(diagonal.state, "diagonal.", &result.state);
  return result;
}

}  // namespace ets
