// Between which values a formula stays, whatever its parameters and its input become.
#pragma once

#include <optional>

#include "lcsm/formula/formula.h"
#include "lcsm/formula/interval.h"

namespace lcsm {

// Sound: no value lies outside. Exact where each symbol stands once, and for polynomials of
// degree one in bounded parts, such as w + (1 - w) * p of two sigmoids.
Interval range_of(const Expr& e);
Interval range_as_written(const Expr& e);  // without simplifying first: simplify() itself asks this

// The first place, in reading order, where a number may not exist: a logarithm or root of what
// can be negative, a quotient by what can be 0, a broken power of what can be negative.
std::optional<FormulaError> undefined_at(const Expr& e);

}  // namespace lcsm
