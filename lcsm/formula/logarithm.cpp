#include "lcsm/formula/logarithm.h"

#include <cmath>

#include "lcsm/formula/range.h"
#include "lcsm/formula/simplify.h"

namespace lcsm {
namespace {

bool positive(const Expr& e) { return is_positive(range_of(e)); }

// The logarithm of a positive expression.
Expr raw_log(const Expr& e) {
  const Expr plain = call(Function::kLog, {e});
  switch (e->op) {
    case Op::kMultiply:
    case Op::kDivide: {
      if (!positive(e->args[0]) || !positive(e->args[1])) return plain;
      const Expr a = raw_log(e->args[0]), b = raw_log(e->args[1]);
      return e->op == Op::kMultiply ? add(a, b) : subtract(a, b);
    }
    case Op::kPower:
      return positive(e->args[0]) ? multiply(e->args[1], raw_log(e->args[0])) : plain;
    case Op::kCall:
      if (e->function == Function::kExp) return e->args[0];
      if (e->function == Function::kSigmoid)
        return negate(call(Function::kSoftplus, {negate(e->args[0])}));
      if (e->function == Function::kSqrt) return divide(raw_log(e->args[0]), number(2));
      return plain;
    default:
      return plain;
  }
}

}  // namespace

std::optional<Expr> log_of(const Expr& e) {
  const Expr canonical = simplify(e);
  if (!positive(e) && !positive(canonical)) return std::nullopt;
  return simplify(raw_log(canonical));
}

std::optional<SigmoidPower> sigmoid_power(const Expr& log_e) {
  if (is_call(log_e, Function::kSoftplus)) return SigmoidPower{1, log_e->args[0]};
  const auto scaled = [](const Expr& part, double by) {
    auto found = sigmoid_power(part);
    if (found) found->c *= by;
    return found;
  };
  if (log_e->op == Op::kNegate) return scaled(log_e->args[0], -1);
  if (log_e->op != Op::kMultiply && log_e->op != Op::kDivide) return std::nullopt;
  const auto a = constant(log_e->args[0]), b = constant(log_e->args[1]);
  if (b) return scaled(log_e->args[0], log_e->op == Op::kMultiply ? *b : 1 / *b);
  return a && log_e->op == Op::kMultiply ? scaled(log_e->args[1], *a) : std::nullopt;
}

LogParts split(const Expr& log_e) {
  LogParts parts{number(0), number(0), number(0), number(0)};
  for (const Expr& term : terms_of(expand(simplify(log_e)))) {
    const Type type = type_of(term);
    Expr& part = type.k && type.d ? parts.kd : type.k ? parts.k : type.d ? parts.d : parts.time;
    part = simplify(add(part, term));
  }
  return parts;
}

}  // namespace lcsm
