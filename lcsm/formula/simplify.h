// Simplifies formulas to a canonical form: formulas that are equal by the rules of sums, products
// and powers have one form.
#pragma once

#include <vector>

#include "lcsm/formula/formula.h"

namespace lcsm {

// Flattens and sorts sums and products and collects their equal parts; folds numbers while the
// result is finite; writes 1 - sigmoid(a) as sigmoid(-a) and log(1 + exp(a)) as softplus(a);
// cancels exp and log. Idempotent; wherever the formula has a value, it is unchanged up to
// rounding.
Expr simplify(const Expr& e);

// The terms or factors of a simplified expression, whose sum or product it is.
std::vector<Expr> terms_of(const Expr& simplified);
std::vector<Expr> factors_of(const Expr& simplified);

// Multiplies out products of sums; leaves it unchanged beyond 64 terms.
Expr expand(const Expr& simplified);

}  // namespace lcsm
