// Random formulas and values for their symbols; equal seeds give equal formulas.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "lcsm/formula/evaluate.h"
#include "lcsm/formula/formula.h"

namespace lcsm::test {

using Values = std::map<Symbol, double>;

inline std::function<double(const Symbol&)> reader(const Values& values) {
  return [&values](const Symbol& s) { return values.at(s); };
}

// True if a condition holds for every part of e and its value.
inline bool every_part(const Expr& e, const Values& values,
                       const std::function<bool(const Expr&, double)>& holds) {
  return holds(e, evaluate(e, reader(values))) &&
         std::all_of(e->args.begin(), e->args.end(),
                     [&](const Expr& arg) { return every_part(arg, values, holds); });
}

// The largest magnitude among the parts of e: how much rounding its value can contain. Infinite
// where a part has no value, which step, min and max could hide.
inline double largest_part(const Expr& e, const Values& values) {
  double most = std::abs(evaluate(e, reader(values)));
  if (std::isnan(most)) return std::numeric_limits<double>::infinity();
  for (const Expr& arg : e->args) most = std::max(most, largest_part(arg, values));
  return most;
}

class RandomFormula {
 public:
  explicit RandomFormula(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return random_() % n; }
  bool chance(double share) { return uniform() < share; }
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * uniform(); }

  // About `size` parts; may be undefined somewhere.
  Expr expr(int size) {
    if (size <= 1) return leaf();
    const int left = 1 + static_cast<int>(below(static_cast<std::size_t>(size)));
    const auto a = [&] { return expr(std::min(left, size - 1)); };
    const auto b = [&] { return expr(std::max(1, size - left - 1)); };
    switch (below(12)) {
      case 0:
        return negate(expr(size - 1));
      case 1:
      case 2:
        return add(a(), b());
      case 3:
        return subtract(a(), b());
      case 4:
      case 5:
        return multiply(a(), b());
      case 6:
        return divide(a(), chance(0.7) ? positive(b()) : b());
      case 7:
        return powered(size);
      default:
        return called(size);
    }
  }

  // A possible value for every symbol of e; `reach` bounds learned numbers and data.
  Values values_for(const Expr& e, double reach = 2) {
    Values values;
    for (const Symbol& s : symbols_of(e)) values[s] = value_of(s, reach);
    return values;
  }

 private:
  double value_of(const Symbol& s, double reach) {
    const std::string_view stem = stem_of(s).name;
    if (stem == "slope" || stem == "theta") return between(0.01, 1);
    // Between integers, since a formula's constants would meet kinks there.
    if (stem == "index") return static_cast<double>(below(9)) + 0.3;
    if (stem == "size") return static_cast<double>(1 + below(9)) + 0.3;
    if (stem == "tau") return between(0.5, 20);
    return between(-reach, reach);
  }

  Expr leaf() {
    static const std::vector<std::string> names = {"p",       "p_k",     "p_d",    "p_k2",  "w",
                                                   "w_k",     "w_d",     "w_kd",   "w_kd2", "e_k",
                                                   "slope_k", "theta_k", "size_d", "tau"};
    static const std::vector<double> numbers = {0, 1, 2, 3, 8, 16, 0.5, 0.25, 0.1, 1.5};
    if (chance(0.3)) return number(numbers[below(numbers.size())]);
    return symbol(parse_symbol(names[below(names.size())], FormulaUse::kGate));
  }

  Expr positive(Expr e) {
    switch (below(4)) {
      case 0:
        return call(Function::kExp, {std::move(e)});
      case 1:
        return call(Function::kSigmoid, {std::move(e)});
      case 2:
        return add(call(Function::kSoftplus, {std::move(e)}), number(0.5));
      default:
        return add(power(std::move(e), number(2)), number(1));
    }
  }

  Expr powered(int size) {
    if (chance(0.5)) return power(expr(size - 2), number(static_cast<double>(below(4))));
    if (chance(0.5)) return power(positive(expr(size - 2)), number(between(-2, 2)));
    return power(positive(expr(size / 2)), expr(size / 2));
  }

  Expr called(int size) {
    const std::size_t values = static_cast<std::size_t>(Function::kRotate);
    const auto f = static_cast<Function>(below(values));
    if (row_of(f).arity == 2) return call(f, {expr(size / 2), expr(size / 2)});
    const bool root = f == Function::kLog || f == Function::kSqrt;
    return call(f, {root && chance(0.8) ? positive(expr(size - 2)) : expr(size - 1)});
  }

  std::mt19937_64 random_;
};

}  // namespace lcsm::test
