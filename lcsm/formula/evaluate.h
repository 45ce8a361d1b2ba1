// Evaluates a formula in one cell at one step, in float64.
#pragma once

#include <functional>

#include "lcsm/formula/formula.h"

namespace lcsm {

// Plain evaluation, in the order in which the tree is written. Throws std::logic_error for a
// function without a value at a single step (functions.h).
double evaluate(const Expr& e, const std::function<double(const Symbol&)>& value_of);

}  // namespace lcsm
