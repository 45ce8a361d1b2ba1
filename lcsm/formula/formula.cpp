#include "lcsm/formula/formula.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace lcsm {
namespace {

Expr make(Op op, std::vector<Expr> args) {
  Node node;
  node.op = op;
  node.args = std::move(args);
  for (const Expr& arg : node.args) {
    node.size += arg->size;
    if (node.column == 0) node.column = arg->column;
  }
  return std::make_shared<const Node>(std::move(node));
}

template <typename T>
int three_way(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

void collect(const Expr& e, std::vector<Symbol>& into) {
  if (e->op == Op::kSymbol) into.push_back(e->symbol);
  for (const Expr& arg : e->args) collect(arg, into);
}

}  // namespace

Expr number(double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("a number of a formula must be finite");
  Node node;
  node.number = std::abs(value);
  Expr magnitude = std::make_shared<const Node>(std::move(node));
  return value < 0 ? negate(magnitude) : magnitude;
}

Expr symbol(const Symbol& s) {
  Node node;
  node.op = Op::kSymbol;
  node.symbol = s;
  return std::make_shared<const Node>(std::move(node));
}

Expr negate(Expr a) { return make(Op::kNegate, {std::move(a)}); }
Expr add(Expr a, Expr b) { return make(Op::kAdd, {std::move(a), std::move(b)}); }
Expr subtract(Expr a, Expr b) { return make(Op::kSubtract, {std::move(a), std::move(b)}); }
Expr multiply(Expr a, Expr b) { return make(Op::kMultiply, {std::move(a), std::move(b)}); }
Expr divide(Expr a, Expr b) { return make(Op::kDivide, {std::move(a), std::move(b)}); }
Expr power(Expr a, Expr b) { return make(Op::kPower, {std::move(a), std::move(b)}); }

Expr call(Function f, std::vector<Expr> args) {
  Node node = *make(Op::kCall, std::move(args));
  node.function = f;
  return std::make_shared<const Node>(std::move(node));
}

std::optional<double> constant(const Expr& e) {
  if (e->op == Op::kNumber) return e->number;
  if (e->op == Op::kNegate && e->args[0]->op == Op::kNumber) return -e->args[0]->number;
  return std::nullopt;
}

bool is_constant(const Expr& e, double value) { return constant(e) == value; }

bool is_call(const Expr& e, Function f) { return e->op == Op::kCall && e->function == f; }

const Node* find_call(const Expr& e, Function f) {
  if (is_call(e, f)) return e.get();
  for (const Expr& arg : e->args)
    if (const Node* found = find_call(arg, f)) return found;
  return nullptr;
}

int compare(const Expr& a, const Expr& b) {
  if (a == b) return 0;
  if (const int by = three_way(a->op, b->op)) return by;
  if (const int by = three_way(a->size, b->size)) return by;
  if (const int by = three_way(a->number, b->number)) return by;
  if (const int by = three_way(a->symbol, b->symbol)) return by;
  if (const int by = three_way(a->function, b->function)) return by;
  if (const int by = three_way(a->args.size(), b->args.size())) return by;
  for (std::size_t i = 0; i < a->args.size(); ++i)
    if (const int by = compare(a->args[i], b->args[i])) return by;
  return 0;
}

bool equal(const Expr& a, const Expr& b) { return compare(a, b) == 0; }

std::vector<Symbol> symbols_of(const Expr& e) {
  std::vector<Symbol> all;
  collect(e, all);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Expr substitute(const Expr& e, const std::function<Expr(const Symbol&)>& by) {
  if (e->op == Op::kSymbol) {
    const Expr replaced = by(e->symbol);
    return replaced ? replaced : e;
  }
  if (e->args.empty()) return e;
  Node node = *e;
  bool changed = false;
  for (Expr& arg : node.args) {
    Expr replaced = substitute(arg, by);
    changed |= replaced != arg;
    node.size += replaced->size - arg->size;
    arg = std::move(replaced);
  }
  return changed ? std::make_shared<const Node>(std::move(node)) : e;
}

Type type_of(const Expr& e) {
  if (e->op == Op::kSymbol)
    return {over_k(e->symbol.axes), over_d(e->symbol.axes),
            stem_of(e->symbol).source == Source::kData};
  Type type;
  for (const Expr& arg : e->args) {
    const Type each = type_of(arg);
    type = {type.k || each.k, type.d || each.d, type.data || each.data};
  }
  if (is_call(e, Function::kCumsoftmax)) type.data = true;  // even of a static argument
  return type;
}

std::string to_string(Type t) {
  if (!t.k && !t.d) return t.data ? "one value per step" : "constant";
  const std::string axes = t.k && t.d ? "k x d" : t.k ? "k" : "d";
  return axes + (t.data ? ", data" : ", static");
}

}  // namespace lcsm
