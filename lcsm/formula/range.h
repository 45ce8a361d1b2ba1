// Bounds the values of a formula, whatever its parameters and input.
#pragma once

#include <optional>

#include "lcsm/formula/formula.h"
#include "lcsm/formula/interval.h"

namespace lcsm {

// Sound: no value is outside. Exact if each symbol occurs once, and for polynomials of degree one
// in bounded parts, such as w + (1 - w) * p of two sigmoids.
Interval range_of(const Expr& e);
Interval range_as_written(const Expr& e);  // without simplifying first; simplify() itself uses it

// The first place, in reading order, where the value may be undefined: a logarithm or root of what
// can be negative, a division by what can be 0, a fractional power of what can be negative.
std::optional<FormulaError> undefined_at(const Expr& e);

}  // namespace lcsm
