// The derivative of a formula, as a formula.
#pragma once

#include "lcsm/formula/formula.h"

namespace lcsm {

// d e / d by, simplified; each function's rule stands in its row. At a kink (relu, abs at 0; min,
// max of equals) one of the two sides. `rotate` and `cumsoftmax` have none: std::logic_error.
Expr derivative(const Expr& e, const Symbol& by);

}  // namespace lcsm
