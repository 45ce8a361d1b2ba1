// One canonical form for formulas that are the same by the rules of sums, products and powers.
#pragma once

#include <vector>

#include "lcsm/formula/formula.h"

namespace lcsm {

// Sums and products flattened, ordered and with equal parts gathered, numbers folded while the
// result is a finite number, 1 - sigmoid(a) written sigmoid(-a), log(1 + exp(a)) softplus(a), exp
// and log cancelled.
// Idempotent; the value is the same wherever the formula has one, up to rounding.
Expr simplify(const Expr& e);

// The parts of a simplified expression: their sum, or product, is the expression.
std::vector<Expr> terms_of(const Expr& simplified);
std::vector<Expr> factors_of(const Expr& simplified);

// Products of sums multiplied out; left as it is beyond 64 terms.
Expr expand(const Expr& simplified);

}  // namespace lcsm
