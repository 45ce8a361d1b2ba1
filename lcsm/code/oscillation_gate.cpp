// Splits a gate into its factors, and substitutes them into its scale and read.
#include "lcsm/code/oscillation.h"

namespace lcsm {
namespace {

// The factors of the whole gate. A quotient is split only where its numerator contains a rotation
// or a running softmax.
void top_factors(const Expr& e, std::vector<Expr>& factors) {
  const bool quotient = e->op == Op::kDivide && (find_call(e->args[0], Function::kRotate) ||
                                                 find_call(e->args[0], Function::kCumsoftmax));
  if (e->op == Op::kMultiply) {
    for (const Expr& arg : e->args) top_factors(arg, factors);
  } else if (quotient) {
    top_factors(e->args[0], factors);
    factors.push_back(divide(number(1), e->args[1]));
  } else {
    factors.push_back(e);
  }
}

void refuse_inside(const Expr& e, Function f) {
  if (const Node* inner = find_call(e, f))
    throw FormulaError(inner->column, "'" + std::string(row_of(f).name) +
                                          "' must be a factor of the whole gate, as in "
                                          "sigmoid(p_k) * " +
                                          std::string(row_of(f).name) + "(...)");
}

}  // namespace

Gate gate_of(const Expr& o) {
  std::vector<Expr> factors;
  top_factors(o, factors);
  Gate gate;
  for (const Expr& factor : factors) {
    Expr& slot = is_call(factor, Function::kRotate)       ? gate.angle
                 : is_call(factor, Function::kCumsoftmax) ? gate.cumulative
                                                          : gate.real;
    const bool special = &slot != &gate.real;
    if (special && slot)
      throw FormulaError(factor->column, "'" + std::string(row_of(factor->function).name) +
                                             "' occurs twice: a gate has at most one such factor");
    const Expr inner = special ? factor->args[0] : factor;
    refuse_inside(inner, Function::kRotate);
    refuse_inside(inner, Function::kCumsoftmax);
    slot = slot ? multiply(slot, inner) : inner;
  }
  if (!gate.real) gate.real = number(1);
  return gate;
}

Expr with_gate(const Expr& weight, const Expr& size, const Expr& angle) {
  const Expr whole = angle ? multiply(size, call(Function::kRotate, {angle})) : size;
  return substitute(weight, [&](const Symbol& s) -> Expr {
    const std::string_view stem = stem_of(s).name;
    return stem == "o" ? size : stem == "q" ? whole : nullptr;
  });
}

Expr with_gate(const Expr& weight, const Expr& o) {
  const Gate gate = gate_of(o);
  const Expr size = gate.cumulative
                        ? multiply(gate.real, call(Function::kCumsoftmax, {gate.cumulative}))
                        : gate.real;
  return with_gate(weight, size, gate.angle);
}

ComplexParts weight_parts(const Expr& weight, const Expr& o) {
  return weight ? complex_parts(with_gate(weight, o)) : ComplexParts{number(1), nullptr};
}

}  // namespace lcsm
