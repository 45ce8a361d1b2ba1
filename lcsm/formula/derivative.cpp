#include "lcsm/formula/derivative.h"

#include <stdexcept>

#include "lcsm/formula/simplify.h"

namespace lcsm {
namespace {

// The derivative rule of the row for argument `which`, with the arguments in place of x and y.
Expr rule(const Expr& e, std::size_t which) {
  const FunctionRow& row = row_of(e->function);
  if (row.derivative[which].empty())
    throw std::logic_error("derivative: '" + std::string(row.name) + "' has none");
  static const Symbol x = parse_symbol("x"), y = parse_symbol("y");
  return substitute(parse_formula(row.derivative[which], FormulaUse::kAny), [&](const Symbol& s) {
    return s == x ? e->args[0] : s == y ? e->args[1] : nullptr;
  });
}

bool depends(const Expr& e, const Symbol& by) {
  if (e->op == Op::kSymbol) return e->symbol == by;
  for (const Expr& arg : e->args)
    if (depends(arg, by)) return true;
  return false;
}

Expr raw(const Expr& e, const Symbol& by) {
  if (!depends(e, by)) return number(0);
  const auto d = [&](std::size_t i) { return raw(e->args[i], by); };
  const auto arg = [&](std::size_t i) { return e->args[i]; };
  switch (e->op) {
    case Op::kNumber:
      return number(0);
    case Op::kSymbol:
      return number(1);
    case Op::kNegate:
      return negate(d(0));
    case Op::kAdd:
      return add(d(0), d(1));
    case Op::kSubtract:
      return subtract(d(0), d(1));
    case Op::kMultiply:
      return add(multiply(d(0), arg(1)), multiply(arg(0), d(1)));
    case Op::kDivide:
      return subtract(divide(d(0), arg(1)),
                      divide(multiply(arg(0), d(1)), power(arg(1), number(2))));
    case Op::kPower: {
      // a^b: b a^(b-1) a' + a^b log(a) b'; the second part only where the exponent depends on `by`.
      const Expr base =
          multiply(multiply(arg(1), power(arg(0), subtract(arg(1), number(1)))), d(0));
      if (!depends(arg(1), by)) return base;
      return add(base, multiply(multiply(e, call(Function::kLog, {arg(0)})), d(1)));
    }
    case Op::kCall:
      break;
  }
  Expr sum = number(0);
  for (std::size_t i = 0; i < e->args.size(); ++i)
    if (depends(e->args[i], by)) sum = add(sum, multiply(rule(e, i), d(i)));
  return sum;
}

}  // namespace

Expr derivative(const Expr& e, const Symbol& by) { return simplify(raw(e, by)); }

}  // namespace lcsm
