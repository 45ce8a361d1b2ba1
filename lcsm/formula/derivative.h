// The derivative of a formula, as a formula.
#pragma once

#include "lcsm/formula/formula.h"

namespace lcsm {

// d e / d by, simplified; each function's rule is in its row of the table. At a kink it is 0
// (relu) or the mean of both slopes (abs, min, max). Throws std::logic_error for a function without
// a value at a single step (functions.h).
Expr derivative(const Expr& e, const Symbol& by);

}  // namespace lcsm
