// Evaluates a formula in one cell at one step, in float64.
#pragma once

#include <functional>

#include "lcsm/formula/formula.h"

namespace lcsm {

// Plain evaluation, in the order in which the tree is written. `rotate` and `cumsoftmax` have no
// value at a single step: std::logic_error.
double evaluate(const Expr& e, const std::function<double(const Symbol&)>& value_of);

}  // namespace lcsm
