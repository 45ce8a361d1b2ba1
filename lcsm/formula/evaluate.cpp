#include "lcsm/formula/evaluate.h"

#include <cmath>
#include <stdexcept>

namespace lcsm {

double evaluate(const Expr& e, const std::function<double(const Symbol&)>& value_of) {
  const auto arg = [&](std::size_t i) { return evaluate(e->args[i], value_of); };
  switch (e->op) {
    case Op::kNumber:
      return e->number;
    case Op::kSymbol:
      return value_of(e->symbol);
    case Op::kNegate:
      return -arg(0);
    case Op::kAdd:
      return arg(0) + arg(1);
    case Op::kSubtract:
      return arg(0) - arg(1);
    case Op::kMultiply:
      return arg(0) * arg(1);
    case Op::kDivide:
      return arg(0) / arg(1);
    case Op::kPower:
      return std::pow(arg(0), arg(1));
    case Op::kCall:
      break;
  }
  const FunctionRow& row = row_of(e->function);
  if (!row.value)
    throw std::logic_error("evaluate: '" + std::string(row.name) + "' has no value at one step");
  return row.value(arg(0), row.arity == 2 ? arg(1) : 0);
}

}  // namespace lcsm
