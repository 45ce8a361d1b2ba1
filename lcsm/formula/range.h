// Bounds the values of a formula, whatever its parameters and input.
#pragma once

#include <optional>

#include "lcsm/formula/formula.h"
#include "lcsm/formula/interval.h"

namespace lcsm {

// Sound: no value is outside. Exact if each symbol occurs once, and for polynomials of degree one
// in bounded parts, such as w + (1 - w) * p of two sigmoids. Knows that a / (a + c) is below 1.
Interval range_of(const Expr& e);
Interval range_as_written(const Expr& e);  // without simplifying first; simplify() itself uses it

// The first place, operands before their operation, where the value may be undefined: a logarithm
// of a value that can be 0 or less, a root or fractional power of a value that can be negative, a
// division by a value that can be 0, or a negative power of one.
std::optional<FormulaError> undefined_at(const Expr& e);

}  // namespace lcsm
