#include "lcsm/formula/range.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/lcsm/formula/random_formula.h"

namespace lcsm {
namespace {

std::string range(const std::string& text) {
  const Interval r = range_of(parse_formula(text));
  return (r.low.closed ? "[" : "(") + number_text(r.low.value) + ", " + number_text(r.high.value) +
         (r.high.closed ? "]" : ")");
}

std::string undefined(const std::string& text) {
  const auto error = undefined_at(parse_formula(text));
  return error ? std::to_string(error->column) + ": " + error->what() : "";
}

}  // namespace

TEST(Range, IsExactWhereEachSymbolOccursOnce) {
  EXPECT_EQ(range("sigmoid(p_k)^(1/tau)"), "(0, 1)");
  EXPECT_EQ(range("exp(-slope_k)"), "(" + number_text(std::exp(-1)) + ", 1)");
  EXPECT_EQ(range("tanh(p) / 2"), "(-0.5, 0.5)");
  EXPECT_EQ(range("2 * sigmoid(p) - 1"), "(-1, 1)");
  EXPECT_EQ(range("min(max(p, -10), 10)"), "[-10, 10]");
  EXPECT_EQ(range("p^2"), "[0, inf)");
  EXPECT_EQ(range("abs(tanh(p))"), "[0, 1)");
  EXPECT_EQ(range("1 / (1 + exp(p))"), "(0, 1)");
}

TEST(Range, IsExactForLowerBounds) {
  EXPECT_EQ(range("sigmoid(w_d) + (1 - sigmoid(w_d)) * sigmoid(p_d)"), "(0, 1)");
  EXPECT_EQ(range("0.9 + 0.1 * sigmoid(p)"), "(0.9, 1)");
  EXPECT_EQ(range("1 - sigmoid(p) * sigmoid(w)"), "(0, 1)");
}

TEST(Range, OfAPartOverItsSumWithAnotherIsBounded) {
  EXPECT_EQ(range("p_k^2 / (1 + p_k^2)"), "[0, 1)");
  EXPECT_EQ(range("p_k * p_k / (p_k^2 + 1)"), "[0, 1)");
  EXPECT_EQ(range("1 - relu(p) / (1 + relu(p))"), "(0, 1]");
  EXPECT_EQ(range("exp(p) / (exp(p) + exp(p2))"), "(0, 1)");
  EXPECT_EQ(range("softplus(p) / (1 + softplus(p) + p2^2)"), "(0, 1)");
  EXPECT_EQ(range("p / (1 + abs(p))"), "(-1, 1)");
  EXPECT_EQ(range("p / sqrt(2 + p * p)"), "(-1, 1)");
  EXPECT_EQ(range("p^2 / (p^2 + w)"), "(-inf, inf)") << "w may be negative";
  EXPECT_EQ(range("relu(p) / (relu(p) + abs(w))"), "(-inf, inf)") << "0 / 0";
  EXPECT_EQ(range("p / (1 + p)"), "(-inf, inf)");
  EXPECT_EQ(range("p / (1 + p^2)"), "(-inf, inf)") << "p is not p^2";
  EXPECT_EQ(range("p / sqrt(1 + abs(p))"), "(-inf, inf)");
}

TEST(Range, HoldsRandomValuesOfAPartOverItsSum) {
  test::RandomFormula random(1);
  for (const std::string part : {"p^2", "relu(p)", "softplus(p)", "sigmoid(p)", "p", "tanh(p)"})
    for (const std::string below :
         {" / (1 + PART)", " / (PART + sigmoid(p2))", " / (relu(w) + abs(PART) + 0.5)",
          " / sqrt(1 + PART^2)", " / sqrt(PART^2 + w^2 + 0.1)", " / (PART + w)"}) {
      std::string text = part + below;
      text.replace(text.find("PART"), 4, part);
      const Expr e = parse_formula(text);
      const Interval r = range_of(e);
      for (const double reach : {1e-3, 1.0, 30.0, 300.0})
        for (int i = 0; i < 100; ++i) {
          const double value = evaluate(e, test::reader(random.values_for(e, reach)));
          EXPECT_TRUE(r.low.value <= value && value <= r.high.value) << text << " = " << value;
        }
    }
}

TEST(Range, HasNoGapsWhereNumbersOverflow) {
  for (const std::string text : {"exp(1000) - exp(999)", "1e308 * 10 - 1e308 * 20",
                                 "exp(1000) * (exp(999) - exp(998)) * p", "1e300^2 - 1e300^3"}) {
    const Interval r = range_of(parse_formula(text));
    EXPECT_LE(r.low.value, r.high.value) << text;
  }
}

TEST(Undefined, NamesTheFirstPlaceWithItsReason) {
  EXPECT_EQ(undefined("exp(p) + log(tanh(w))").substr(0, 8), "10: log ");
  EXPECT_NE(undefined("1/p").find("divides by p, which can be 0"), std::string::npos);
  EXPECT_NE(undefined("sqrt(p)").find("can be negative"), std::string::npos);
  EXPECT_NE(undefined("p^0.5").find("not an integer"), std::string::npos);
  EXPECT_NE(undefined("p^-1").find("negative power"), std::string::npos);
  EXPECT_NE(undefined("tanh(p)^(1/tau)").find("not an integer"), std::string::npos);
  EXPECT_EQ(undefined("p + 1/0"), "6: divides by 0");
  EXPECT_EQ(undefined("(-2)^0.5"), "5: raises -2 to a power that is not an integer");
  EXPECT_EQ(undefined("p^-1"), "2: raises p, which can be 0, to a negative power");
}

TEST(Undefined, IsSilentWhereEveryNumberExists) {
  for (const std::string text :
       {"sigmoid(p)^(1/tau)", "1 / (1 + exp(p))", "sqrt(softplus(p))", "p^3", "log(1 + p^2)",
        "exp(p)^-0.5", "1 / size_k", "sqrt(1 - sigmoid(p)^2)", "relu(p)^0.5"})
    EXPECT_EQ(undefined(text), "") << text;
}

}  // namespace lcsm
