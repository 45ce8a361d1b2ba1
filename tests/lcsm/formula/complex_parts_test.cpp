// Parts of random complex formulas against std::complex.
#include "lcsm/formula/complex_parts.h"

#include <gtest/gtest.h>

#include <complex>

#include "lcsm/formula/derivative.h"
#include "lcsm/formula/logarithm.h"
#include "lcsm/formula/range.h"
#include "tests/lcsm/formula/random_formula.h"

namespace lcsm::test {
namespace {

using Complex = std::complex<double>;

Complex value_of(const Expr& e, const Values& values) {
  const auto arg = [&](std::size_t i) { return value_of(e->args[i], values); };
  switch (e->op) {
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
      if (e->function == Function::kRotate) return std::polar(1.0, arg(0).real());
      if (e->function == Function::kComplex) return {arg(0).real(), arg(1).real()};
      if (e->function == Function::kExp) return std::exp(arg(0));
      if (e->function == Function::kAbs) return std::abs(arg(0));
      break;
    case Op::kNumber:
    case Op::kSymbol:
      break;
  }
  return evaluate(e, reader(values));
}

// Real formulas joined by complex operations.
Expr random_complex(RandomFormula* random, int depth) {
  const auto real = [&] { return random->expr(1 + static_cast<int>(random->below(4))); };
  if (depth == 0) return real();
  const auto part = [&] { return random_complex(random, depth - 1); };
  switch (random->below(9)) {
    case 0:
      return add(part(), part());
    case 1:
      return subtract(part(), part());
    case 2:
      return multiply(part(), part());
    case 3:
      return divide(part(), part());
    case 4:
      return power(part(), number(static_cast<double>(1 + random->below(3))));
    case 5:
      return call(Function::kRotate, {real()});
    case 6:
      return call(Function::kComplex, {real(), real()});
    case 7:
      return call(Function::kExp, {part()});
    default:
      return negate(call(Function::kAbs, {part()}));
  }
}

bool tame(Complex value) {
  return std::isfinite(value.real()) && std::isfinite(value.imag()) && std::abs(value) < 1e3;
}

// True if no part is so large, or so small below a division, that rounding could hide a difference.
bool tame_everywhere(const Expr& e, const Values& values) {
  const Complex value = value_of(e, values);
  if (!tame(value) || (e->op == Op::kDivide && std::abs(value_of(e->args[1], values)) < 1e-3))
    return false;
  return std::all_of(e->args.begin(), e->args.end(),
                     [&](const Expr& arg) { return tame_everywhere(arg, values); });
}

double part_of(const Expr& part, const Values& values) {
  return part ? evaluate(part, reader(values)) : 0;
}

}  // namespace

TEST(ComplexParts, AreThoseOfTheValue) {
  RandomFormula random(11);
  int compared = 0;
  for (int n = 0; n < 5000; ++n) {
    const Expr e = random_complex(&random, 3);
    const Values values = random.values_for(e);
    if (!tame_everywhere(e, values)) continue;
    const ComplexParts parts = complex_parts(e);
    const Complex expected = value_of(e, values);
    // 1e-6: numbers up to 1e3 in every part, divided by 1e-3 at the least.
    const double near = 1e-6 * (1 + std::abs(expected));
    if (undefined_at(parts.re) || (parts.im && undefined_at(parts.im))) continue;
    ++compared;
    EXPECT_NEAR(part_of(parts.re, values), expected.real(), near) << to_string(e);
    EXPECT_NEAR(part_of(parts.im, values), expected.imag(), near) << to_string(e);
    EXPECT_NEAR(part_of(magnitude(e), values), std::abs(expected), near) << to_string(e);
  }
  EXPECT_GT(compared, 500);
}

// Central differences of step 1e-5: of numbers up to 1e3 in every part, as above. Where two steps
// disagree there is a kink or a pole.
TEST(ComplexParts, HaveTheSlopesOfTheValue) {
  RandomFormula random(12);
  int compared = 0;
  for (int n = 0; n < 5000; ++n) {
    const Expr e = random_complex(&random, 2);
    const Values values = random.values_for(e);
    if (!tame_everywhere(e, values)) continue;
    const ComplexParts parts = complex_parts(e);
    for (const Symbol& s : symbols_of(e)) {
      const auto slope = [&](double h) {
        Values above = values, below = values;
        above[s] += h;
        below[s] -= h;
        return (value_of(e, above) - value_of(e, below)) / (2 * h);
      };
      const Complex expected = slope(1e-5), wide = slope(2e-5);
      const double near = 1e-5 * (1 + std::abs(expected));
      if (!tame(expected) || !(std::abs(expected - wide) < near / 10)) continue;
      ++compared;
      const auto part = [&](const Expr& of) {
        return of ? evaluate(derivative(of, s), reader(values)) : 0;
      };
      EXPECT_NEAR(part(parts.re), expected.real(), near) << to_string(e);
      EXPECT_NEAR(part(parts.im), expected.imag(), near) << to_string(e);
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST(ComplexParts, HaveTheStableLogarithmOfAGate) {
  RandomFormula random(13);
  int compared = 0;
  for (int n = 0; n < 2000; ++n) {
    const Expr real = call(Function::kSigmoid, {random.expr(6)}), angle = random.expr(4);
    const auto log_o = log_of(real);
    const Expr o = multiply(real, call(Function::kRotate, {angle}));
    const Values values = random.values_for(o);
    ASSERT_TRUE(log_o);
    const Complex value = value_of(o, values);
    const double log_size = evaluate(*log_o, reader(values)), a = evaluate(angle, reader(values));
    if (!(std::abs(value) > 1e-9) || !(std::abs(a) < 1e3)) continue;
    ++compared;
    // 1e-6: sigmoid(x) is within 1e-9 of 0 or 1 at the worst, and keeps seven digits of log there.
    EXPECT_NEAR(std::abs(value - std::polar(std::exp(log_size), a)), 0, 1e-6) << to_string(o);
    EXPECT_NEAR(log_size, std::log(std::abs(value)), 1e-6 * (1 + std::abs(log_size)));
  }
  EXPECT_GT(compared, 500);
}

TEST(ComplexParts, RefuseToGrowWithoutBound) {
  EXPECT_THROW(complex_parts(parse_formula("((rotate(w)+1)^8)^8", FormulaUse::kAny)), FormulaError);
  EXPECT_NO_THROW(complex_parts(parse_formula("(rotate(w)+1)^4", FormulaUse::kAny)));
}

TEST(ComplexParts, OfARealFormulaAreItself) {
  const ComplexParts parts = complex_parts(parse_formula("sigmoid(p_k) * w_d", FormulaUse::kAny));
  EXPECT_EQ(to_string(parts.re), "w_d * sigmoid(p_k)");
  EXPECT_EQ(parts.im, nullptr);
}

TEST(ComplexParts, TheMagnitudeOfARotationIsExact) {
  const Expr e = parse_formula("2 * sigmoid(w_d) * rotate(p_k) / exp(w_k)", FormulaUse::kAny);
  EXPECT_EQ(find_call(magnitude(e), Function::kCos), nullptr) << to_string(magnitude(e));
}

TEST(ComplexParts, OtherFunctionsRefuseComplexNumbers) {
  for (const char* text : {"tanh(rotate(w))", "min(rotate(w), 1)", "rotate(complex(1, 2))"})
    EXPECT_THROW(complex_parts(parse_formula(text, FormulaUse::kAny)), FormulaError) << text;
}

}  // namespace lcsm::test
