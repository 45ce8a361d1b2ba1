// The operations after a family's filter and its shortcut.
#pragma once

#include "ets/layer/layer.h"

namespace ets {

// By the option "output", with g = gelu y and h = drop g; W are the weights "output", W_g "gate":
//   none     y                               gelu       g
//   linear   W h                             half_glu1  h sigmoid(W_g h)
//   glu      a sigmoid(b), [a, b] = W h      half_glu2  y sigmoid(W_g h)
//                                            full_glu   (W h) sigmoid(W_g h)
// The outputs on the right are s5's. Its gelu is `approximate` (by tanh), the default of its
// authors' library.
at::Tensor output_of(std::string_view kind, bool approximate, const lcsm::Weights& weights,
                     const at::Tensor& y, const FilterContext& context);

}  // namespace ets
