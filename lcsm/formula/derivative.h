// The derivative of a formula, as a formula.
#pragma once

#include "lcsm/formula/formula.h"

namespace lcsm {

// d e / d by, simplified; each function's rule is in its row of the table. At a kink (relu, abs at
// 0; min, max of equals) it is the slope of one side. `rotate` and `cumsoftmax` have no derivative:
// std::logic_error.
Expr derivative(const Expr& e, const Symbol& by);

}  // namespace lcsm
