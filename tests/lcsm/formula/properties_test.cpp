// Properties of every formula: checked for every row of the tables and for random ones, 10 000 of
// them for derivatives and logarithms.
#include <gtest/gtest.h>

#include "lcsm/code/oscillation.h"
#include "lcsm/formula/derivative.h"
#include "lcsm/formula/logarithm.h"
#include "lcsm/formula/range.h"
#include "lcsm/formula/simplify.h"
#include "tests/lcsm/formula/random_formula.h"

namespace lcsm::test {
namespace {

constexpr std::uint64_t kPropertiesSeed = 20240517;
constexpr int kMany = 10000, kSome = 3000;

// Real formulas of every row: gates, fixed gates, scales, activations.
std::vector<Expr> formulas_of_tables() {
  std::vector<Expr> all;
  for (const OscillationRow& row : oscillation_rows()) {
    for (const std::string_view text : {row.o, row.fixed})
      if (!text.empty()) all.push_back(gate_of(parse_formula(text)).real);
    for (const std::string_view text : {row.scale, row.read}) {
      if (text.empty()) continue;
      const ComplexParts parts = complex_parts(parse_formula(text, FormulaUse::kScale));
      all.push_back(parts.re);
      if (parts.im) all.push_back(parts.im);
    }
  }
  for (const ActivationRow& row : activation_rows())
    all.push_back(parse_formula(row.formula, FormulaUse::kActivation));
  return all;
}

void for_each_formula(int count, const std::function<void(const Expr&, RandomFormula&)>& body) {
  RandomFormula random(kPropertiesSeed);
  SCOPED_TRACE("seed " + std::to_string(kPropertiesSeed));
  for (const Expr& e : formulas_of_tables())
    for (int i = 0; i < 20; ++i) body(e, random);
  for (int i = 0; i < count && !::testing::Test::HasFailure(); ++i) {
    const Expr e = random.expr(2 + static_cast<int>(random.below(20)));
    SCOPED_TRACE(to_string(e));
    body(e, random);
  }
}

// True if no part is so large that its rounding could hide or fake a difference.
bool properties_tame(const Expr& e, const Values& values) {
  const double most = largest_part(e, values);
  return std::isfinite(most) && most < 1e4;
}

// The change of the value when its symbols change by their rounding: the tolerance between two
// equal formulas. Infinite next to a jump or a pole.
double rounding(const Expr& e, const Values& values) {
  const double here = evaluate(e, reader(values));
  double most = 1e-10 * (1 + std::abs(here));
  for (const auto& [symbol, value] : values)
    for (const double by : {-1e-9, 1e-9}) {
      Values moved = values;
      moved[symbol] = value + by * (1 + std::abs(value));
      most = std::max(most, std::abs(evaluate(e, reader(moved)) - here));
    }
  return std::isnan(most) ? kInfinity : most;
}

struct Slope {
  double value = 0, uncertainty = kInfinity;
};

// Central difference; two step lengths disagree near a kink and where the fifth power matters.
Slope slope_of(const Expr& e, const Symbol& by, const Values& values) {
  const auto central = [&](double h) {
    Values moved = values;
    moved[by] += h;
    const double above = evaluate(e, reader(moved));
    moved[by] -= 2 * h;
    return (above - evaluate(e, reader(moved))) / (2 * h);
  };
  const double wide = central(2e-4), narrow = central(1e-4);
  // Error h^2 c of the narrow one is a third of the difference; rounding is largest part / h.
  const double lost = 1e-15 * largest_part(e, values) / 1e-4;
  return {narrow + (narrow - wide) / 3, std::abs(wide - narrow) + 100 * lost};
}

// A root of 0 has no slope, even if it is constantly 0.
bool roots_are_positive(const Expr& e, const Values& values) {
  return every_part(e, values, [&](const Expr& part, double value) {
    const bool root = is_call(part, Function::kSqrt) || part->op == Op::kPower;
    return !root || value != 0;
  });
}

}  // namespace

TEST(EveryFormula, ReadsBackFromItsText) {
  for_each_formula(kSome, [](const Expr& e, RandomFormula&) {
    EXPECT_TRUE(equal(parse_formula(to_string(e), FormulaUse::kAny), e)) << to_string(e);
  });
}

TEST(EveryFormula, KeepsItsValueWhenSimplified) {
  int compared = 0;
  for_each_formula(kSome, [&](const Expr& e, RandomFormula& random) {
    const Expr simple = simplify(e);
    EXPECT_TRUE(equal(simplify(simple), simple)) << to_string(simple);
    const Values values = random.values_for(e);
    if (!properties_tame(e, values)) return;
    const double tolerance = rounding(e, values);
    if (tolerance > 1e-3) return;
    ++compared;
    EXPECT_NEAR(evaluate(simple, reader(values)), evaluate(e, reader(values)), tolerance)
        << to_string(simple);
  });
  EXPECT_GT(compared, kSome / 2);
}

TEST(EveryFormula, HasTheSlopeOfItsDerivative) {
  int compared = 0;
  for_each_formula(kMany, [&](const Expr& e, RandomFormula& random) {
    const Values values = random.values_for(e);
    if (!properties_tame(e, values) || !roots_are_positive(e, values)) return;
    for (const Symbol& s : symbols_of(e)) {
      const Slope slope = slope_of(e, s, values);
      if (!(slope.uncertainty < 1e-3 * (1 + std::abs(slope.value)))) continue;  // kink or pole
      ++compared;
      EXPECT_NEAR(evaluate(derivative(e, s), reader(values)), slope.value, slope.uncertainty)
          << "by " << to_string(s) << ": " << to_string(derivative(e, s));
    }
  });
  EXPECT_GT(compared, kMany);
}

TEST(EveryFormula, HasTheLogarithmOfItsValue) {
  int compared = 0;
  for_each_formula(kMany, [&](const Expr& e, RandomFormula& random) {
    const std::optional<Expr> log_e = log_of(e);
    const Values values = random.values_for(e);
    if (!log_e || !properties_tame(e, values)) return;
    const Expr plain = call(Function::kLog, {e});
    const double tolerance = rounding(plain, values);
    if (tolerance > 1e-3) return;
    ++compared;
    EXPECT_NEAR(evaluate(*log_e, reader(values)), evaluate(plain, reader(values)), tolerance);
  });
  EXPECT_GT(compared, kMany / 20);
}

TEST(EveryFormula, SplitsIntoPartsOfOneAxisEach) {
  for_each_formula(kSome, [&](const Expr& e, RandomFormula& random) {
    const LogParts parts = split(e);
    EXPECT_FALSE(type_of(parts.time).k || type_of(parts.time).d);
    EXPECT_FALSE(type_of(parts.k).d || type_of(parts.d).k);
    const Expr sum = add(add(parts.time, parts.k), add(parts.d, parts.kd));
    const Values values = random.values_for(e);
    const double tolerance = rounding(e, values);
    if (!properties_tame(e, values) || tolerance > 1e-3) return;
    EXPECT_NEAR(evaluate(sum, reader(values)), evaluate(e, reader(values)), 10 * tolerance);
  });
}

TEST(EveryFormula, StaysInItsRange) {
  for_each_formula(kSome, [&](const Expr& e, RandomFormula& random) {
    const Interval range = range_of(e);
    for (const double reach : {0.1, 2.0, 50.0, 1e6}) {
      const Values values = random.values_for(e, reach);
      if (!every_part(e, values, [](const Expr&, double v) { return std::isfinite(v); })) continue;
      const double value = evaluate(e, reader(values));
      // Ends and values are rounded, so a value may reach an open end, and exceed it by some units.
      const double slack = 1e-9 * (1 + std::abs(value));
      EXPECT_GE(value, range.low.value - slack);
      EXPECT_LE(value, range.high.value + slack);
    }
  });
}

TEST(EveryFormula, IsFiniteUnlessReportedUndefined) {
  int checked = 0;
  for_each_formula(kSome, [&](const Expr& e, RandomFormula& random) {
    if (undefined_at(e)) return;
    const Values values = random.values_for(e);
    if (largest_part(e, values) > 1e100) return;  // overflow is not undefined
    ++checked;
    EXPECT_TRUE(std::isfinite(evaluate(e, reader(values))));
  });
  EXPECT_GT(checked, kSome / 4);
}

}  // namespace lcsm::test
