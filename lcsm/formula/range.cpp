#include "lcsm/formula/range.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "lcsm/formula/simplify.h"

namespace lcsm {
namespace {

bool is_polynomial(Op op) {
  return op == Op::kNegate || op == Op::kAdd || op == Op::kSubtract || op == Op::kMultiply;
}

struct Atom {
  Expr expr;
  int seen;
};

// Collects the parts of a polynomial that are not polynomials, with the number of times each
// occurs.
void collect_atoms(const Expr& e, std::vector<Atom>& atoms) {
  if (is_polynomial(e->op)) {
    for (const Expr& arg : e->args) collect_atoms(arg, atoms);
  } else if (e->op != Op::kNumber) {
    for (Atom& atom : atoms)
      if (equal(atom.expr, e)) return void(++atom.seen);
    atoms.push_back({e, 1});
  }
}

int degree(const Expr& e, const Expr& atom) {
  if (equal(e, atom)) return 1;
  if (!is_polynomial(e->op)) return 0;
  int result = 0;
  for (const Expr& arg : e->args) {
    const int each = degree(arg, atom);
    result = e->op == Op::kMultiply ? result + each : std::max(result, each);
  }
  return result;
}

double at_corner(const Expr& e, const std::vector<Atom>& atoms, const std::vector<double>& corner) {
  const auto arg = [&](std::size_t i) { return at_corner(e->args[i], atoms, corner); };
  switch (e->op) {
    case Op::kNumber:
      return e->number;
    case Op::kNegate:
      return -arg(0);
    case Op::kAdd:
      return arg(0) + arg(1);
    case Op::kSubtract:
      return arg(0) - arg(1);
    case Op::kMultiply:
      return arg(0) * arg(1);
    default:
      break;
  }
  const auto atom =
      std::find_if(atoms.begin(), atoms.end(), [&](const Atom& a) { return equal(a.expr, e); });
  return corner[static_cast<std::size_t>(atom - atoms.begin())];
}

Interval overlap(const Interval& a, const Interval& b) {
  const Interval both{within(a, {b.low, kReals.high}) ? a.low : b.low,
                      within(a, {kReals.low, b.high}) ? a.high : b.high};
  return both.low.value <= both.high.value ? both : a;  // rounding may separate two equal points
}

class Ranges {
 public:
  const Interval& of(const Expr& e) {
    if (const auto known = known_.find(e.get()); known != known_.end()) return known->second;
    return known_.emplace(e.get(), compute(e)).first->second;
  }

 private:
  Interval compute(const Expr& e);
  std::optional<Interval> by_corners(const Expr& e);
  std::optional<Interval> without(const Expr& sum, const Expr& term);
  Interval quotient(const Expr& above, const Expr& below);

  std::unordered_map<const Node*, Interval> known_;  // a part that occurs twice is computed once
};

// Bit i of a corner: atom i at its high end.
const End& end_at(const Interval& range, unsigned corner, std::size_t i) {
  return corner >> i & 1 ? range.high : range.low;
}

std::vector<double> at_corners(const Expr& e, const std::vector<Atom>& atoms,
                               const std::vector<Interval>& ranges) {
  std::vector<double> values;
  for (unsigned corner = 0; corner < 1u << atoms.size(); ++corner) {
    std::vector<double> ends;
    for (std::size_t i = 0; i < atoms.size(); ++i)
      ends.push_back(end_at(ranges[i], corner, i).value);
    values.push_back(at_corner(e, atoms, ends));
  }
  return values;
}

// True if the value at a corner is attained although some ends are open: moving any of the atoms
// off their open ends leaves it unchanged.
bool reached(const std::vector<double>& values, const std::vector<Interval>& ranges,
             unsigned corner) {
  unsigned open = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (!end_at(ranges[i], corner, i).closed) open |= 1u << i;
  for (unsigned moved = open; moved != 0; moved = (moved - 1) & open)
    if (values[corner ^ moved] != values[corner]) return false;
  return true;
}

// A polynomial of degree one in each atom has its extremes at corners.
std::optional<Interval> Ranges::by_corners(const Expr& e) {
  std::vector<Atom> atoms;
  collect_atoms(e, atoms);
  const bool repeated =
      std::any_of(atoms.begin(), atoms.end(), [](const Atom& a) { return a.seen > 1; });
  if (!repeated || atoms.size() > 6) return std::nullopt;
  std::vector<Interval> ranges;
  for (const Atom& atom : atoms) {
    ranges.push_back(of(atom.expr));
    if (!ranges.back().bounded() || degree(e, atom.expr) > 1) return std::nullopt;
  }
  const std::vector<double> values = at_corners(e, atoms, ranges);
  std::optional<Interval> result;
  for (unsigned corner = 0; corner < values.size(); ++corner) {
    if (!std::isfinite(values[corner])) return std::nullopt;
    const End end{values[corner], reached(values, ranges, corner)};
    const Interval one{end, end};
    result = result ? hull(*result, one) : one;
  }
  return result;
}

// The range of the sum of all terms but one.
std::optional<Interval> Ranges::without(const Expr& sum, const Expr& term) {
  if (equal(sum, term)) return point(0);
  if (sum->op != Op::kAdd) return std::nullopt;
  for (const std::size_t i : {0, 1})
    if (const auto rest = without(sum->args[i], term)) return *rest + of(sum->args[1 - i]);
  return std::nullopt;
}

// If c > 0, the values of a / (abs(a) + c) and of a / sqrt(a^2 + c) are within (-1, 1).
Interval Ranges::quotient(const Expr& above, const Expr& below) {
  const Interval plain = of(above) * reciprocal(of(below));
  const bool root = is_call(below, Function::kSqrt);
  const Expr part = root                        ? power(above, number(2))
                    : is_nonnegative(of(above)) ? above
                                                : call(Function::kAbs, {above});
  const std::optional<Interval> rest = without(root ? below->args[0] : below, part);
  if (!rest || !is_positive(*rest)) return plain;
  return overlap(plain, {{-1, false}, {1, false}});
}

Interval Ranges::compute(const Expr& e) {
  if (is_polynomial(e->op))
    if (const std::optional<Interval> exact = by_corners(e)) return *exact;
  const auto arg = [&](std::size_t i) { return of(e->args[i]); };
  switch (e->op) {
    case Op::kNumber:
      return point(e->number);
    case Op::kSymbol:
      return stem_of(e->symbol).range;
    case Op::kNegate:
      return -arg(0);
    case Op::kAdd:
      return arg(0) + arg(1);
    case Op::kSubtract:
      return arg(0) + -arg(1);
    case Op::kMultiply:
      return equal(e->args[0], e->args[1]) ? square(arg(0)) : arg(0) * arg(1);
    case Op::kDivide:
      return quotient(e->args[0], e->args[1]);
    case Op::kPower:
      return power(arg(0), arg(1));
    case Op::kCall:
      break;
  }
  return row_of(e->function).range(arg(0), e->args.size() > 1 ? arg(1) : Interval{});
}

std::optional<FormulaError> undefined_here(const Expr& e) {
  const auto fail = [&](const std::string& what) { return FormulaError(e->column, what); };
  const auto named = [](const Expr& operand, const std::string& can_be) {
    const std::string text = to_string(operand);
    return symbols_of(operand).empty() ? text : text + ", which can be " + can_be;
  };
  if (e->op == Op::kDivide && range_of(e->args[1]).contains(0))
    return fail("divides by " + named(e->args[1], "0"));
  if (is_call(e, Function::kLog) && !is_positive(range_of(e->args[0])))
    return fail("log of " + named(e->args[0], "0 or less"));
  if (is_call(e, Function::kSqrt) && !is_nonnegative(range_of(e->args[0])))
    return fail("sqrt of " + named(e->args[0], "negative"));
  if (e->op == Op::kPower) {
    const Interval base = range_of(e->args[0]);
    const std::optional<double> exponent = constant(simplify(e->args[1]));
    const bool whole = exponent && *exponent == std::floor(*exponent);
    if (!whole && !is_nonnegative(base))
      return fail("raises " + named(e->args[0], "negative,") +
                  " to a power that is not an integer");
    if (!is_nonnegative(range_of(e->args[1])) && base.contains(0))
      return fail("raises " + named(e->args[0], "0,") + " to a negative power");
  }
  return std::nullopt;
}

}  // namespace

Interval range_as_written(const Expr& e) { return Ranges().of(e); }

Interval range_of(const Expr& e) {
  return overlap(range_as_written(e), range_as_written(simplify(e)));
}

std::optional<FormulaError> undefined_at(const Expr& e) {
  for (const Expr& arg : e->args)
    if (auto inner = undefined_at(arg)) return inner;
  return undefined_here(e);
}

}  // namespace lcsm
