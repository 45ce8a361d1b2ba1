// One canonical form for formulas that are equal by the rules of sums, products and powers.
#pragma once

#include <vector>

#include "lcsm/formula/formula.h"

namespace lcsm {

// Flattens and sorts sums and products and collects their equal parts; folds numbers while the
// result is finite; writes 1 - sigmoid(a) as sigmoid(-a) and log(1 + exp(a)) as softplus(a);
// cancels exp and log. Idempotent; wherever the formula has a value, it is unchanged up to
// rounding.
Expr simplify(const Expr& e);

// The parts of a simplified expression: their sum, or product, is the expression.
std::vector<Expr> terms_of(const Expr& simplified);
std::vector<Expr> factors_of(const Expr& simplified);

// Multiplies out products of sums; unchanged beyond 64 terms.
Expr expand(const Expr& simplified);

}  // namespace lcsm
