// H3: queries, keys and values around two filters.
//   k' = shift filter(k) + shift.skip k,  y = q (S4D(k' v) + skip k' v),  out = W_o y + b
// With heads of n channels k' v is the outer product of a head's keys and values, [n, n]; the
// diagonal filter is the head's; q sums over the keys. Channels of q, k, v are (head, n), those of
// y (n, head), as the authors' are.
#pragma once

#include "ets/layer/layer.h"

namespace ets {

lcsm::BlockResult h3_forward(const lcsm::Block& variant, const lcsm::Weights& weights,
                             const at::Tensor& x, const FilterContext& context);

}  // namespace ets
