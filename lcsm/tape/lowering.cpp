#include "lcsm/tape/lowering.h"

#include <algorithm>
#include <cmath>

#include "lcsm/formula/evaluate.h"
#include "lcsm/formula/simplify.h"

namespace lcsm {
namespace {

class Lowerer {
 public:
  explicit Lowerer(bool one_row = false) : one_row_(one_row) {}

  // The lowered gate, which replaces the symbol `o` in a scale; null until it is known.
  Expr gate;
  std::vector<Leaf> leaves;

  Expr lowered(const Expr& e) {
    if (e->op == Op::kSymbol && stem_of(e->symbol).name == "o") return gate;
    if (e->op == Op::kSymbol && e->symbol == written_e()) return e;
    if (constant(e)) return e;
    if (!names_gate(e) && (e->op == Op::kSymbol || !inside(type_of(e)))) return leaf(e);
    switch (e->op) {
      case Op::kMultiply:
      case Op::kDivide:
        return grouped(factors_of(e), Op::kMultiply);
      case Op::kAdd:
      case Op::kSubtract:
        return grouped(terms_of(e), Op::kAdd);
      case Op::kNegate:
        if (e->args[0]->op == Op::kMultiply || e->args[0]->op == Op::kDivide)
          return grouped(factors_of(e), Op::kMultiply);
        [[fallthrough]];
      default:
        break;
    }
    auto copy = std::make_shared<Node>(*e);
    for (Expr& arg : copy->args) arg = lowered(arg);
    return copy;
  }

 private:
  bool inside(const Type& type) const { return (type.k || one_row_) && type.d && type.data; }
  static bool names_gate(const Expr& e) {
    if (e->op == Op::kSymbol) return stem_of(e->symbol).name == "o" || e->symbol == written_e();
    return std::any_of(e->args.begin(), e->args.end(), names_gate);
  }

  static double value_of(const Expr& constant) {
    return evaluate(constant, [](const Symbol&) { return 0.0; });
  }

  Expr leaf(const Expr& e) {
    for (const Leaf& known : leaves)
      if (equal(known.formula, e)) return symbol(known.symbol);
    Symbol name = parse_symbol("y");  // never a symbol of a gate
    name.number = static_cast<int>(leaves.size()) + 1;
    leaves.push_back({name, e, type_of(e)});
    return symbol(name);
  }

  // Combines parts of the same type before the loop; a number joins the first of them.
  Expr grouped(const std::vector<Expr>& parts, Op op) {
    const auto join = [op](const Expr& a, const Expr& b) {
      return !a ? b : op == Op::kAdd ? add(a, b) : multiply(a, b);
    };
    std::vector<std::pair<Type, Expr>> groups;
    const double nothing = op == Op::kAdd ? 0 : 1;
    double numbers = nothing;
    Expr rest;
    for (const Expr& part : parts) {
      const double value = symbols_of(part).empty() ? value_of(part) : kInfinity;
      const double folded = op == Op::kAdd ? numbers + value : numbers * value;
      if (std::isfinite(folded)) {
        numbers = folded;
      } else if (names_gate(part) || inside(type_of(part))) {
        rest = join(rest, lowered(part));
      } else {
        const Type type = type_of(part);
        const auto same = std::find_if(groups.begin(), groups.end(),
                                       [&](const auto& group) { return group.first == type; });
        if (same == groups.end())
          groups.push_back({type, part});
        else
          same->second = join(same->second, part);
      }
    }
    Expr all;
    if (numbers != nothing && groups.empty()) all = number(numbers);
    if (numbers != nothing && !groups.empty())
      groups[0].second = join(number(numbers), groups[0].second);
    for (const auto& [type, group] : groups) all = join(all, leaf(group));
    return rest ? join(all, rest) : all ? all : number(nothing);
  }

  const bool one_row_;
};

Symbol stage(int number) {
  Symbol name = parse_symbol("w_kd");
  name.number = number;  // negative, as in no symbol of a gate
  return name;
}

}  // namespace

Expr with_tau(const Expr& e, const Variant& variant) {
  if (!e) return e;
  return simplify(substitute(e, [&](const Symbol& s) {
    return stem_of(s).name == "tau" ? number(variant.tau()) : nullptr;
  }));
}

Symbol static_e() { return stage(-1); }
Symbol static_s() { return stage(-2); }
Symbol static_s_imaginary() { return stage(-3); }
Symbol written_e() { return parse_symbol("x"); }
Symbol running_softmax_log() { return parse_symbol("y"); }

Spread spread_of(const Type& type) {
  if (type.data && type.d) return Spread::kCells;
  if (type.data) return Spread::kSteps;
  return type.d ? Spread::kChannels : Spread::kNumber;
}

Lowering lower(const Expr& o, const Expr& log_o, const Expr& scale, bool one_row) {
  Lowerer lowerer(one_row);
  Lowering result;
  // A gate that does not vary over k, d and the data together is one leaf.
  const Expr gate = log_o ? call(Function::kExp, {log_o}) : simplify(o);
  result.o = lowerer.lowered(gate);
  lowerer.gate = result.o;
  if (scale) {
    const Expr by = lowerer.lowered(simplify(scale));
    result.w = multiply(symbol(written_e()), by);
  }
  result.leaves = std::move(lowerer.leaves);
  return result;
}

LoweredParts lower(const std::vector<Expr>& parts) {
  Lowerer lowerer;
  LoweredParts result;
  for (const Expr& part : parts) result.parts.push_back(lowerer.lowered(part));
  result.leaves = std::move(lowerer.leaves);
  return result;
}

}  // namespace lcsm
