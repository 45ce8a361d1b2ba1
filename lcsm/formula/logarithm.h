// Computes the logarithm of a gate without computing the gate, so that it is exact even if the gate
// underflows.
#pragma once

#include <optional>

#include "lcsm/formula/formula.h"

namespace lcsm {

// log e, simplified, by log(a b) = log a + log b, log(a^c) = c log a, log(exp a) = a, log(sigmoid
// a) = -softplus(-a), log(sqrt a) = log(a) / 2; log(...) of any other part. nullopt unless e is
// known to be positive.
std::optional<Expr> log_of(const Expr& e);

// c and x if log e = c softplus(x), that is, e = sigmoid(-x)^-c.
struct SigmoidPower {
  double c;
  Expr x;
};
std::optional<SigmoidPower> sigmoid_power(const Expr& log_e);

// log e as an exact sum of parts by the axes over which they vary: log e = time + k + d + kd;
// `time` varies over neither k nor d. A missing part is the number 0.
struct LogParts {
  Expr time, k, d, kd;
  bool separable() const { return is_constant(kd, 0); }
};
LogParts split(const Expr& log_e);

}  // namespace lcsm
