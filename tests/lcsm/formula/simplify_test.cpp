#include "lcsm/formula/simplify.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lcsm/formula/derivative.h"
#include "lcsm/formula/evaluate.h"
#include "lcsm/formula/logarithm.h"

namespace lcsm {
namespace {

std::string simple(const std::string& text) { return to_string(simplify(parse_formula(text))); }

void expect_same(const std::string& a, const std::string& b) { EXPECT_EQ(simple(a), simple(b)); }

}  // namespace

TEST(Simplify, WritesOneMinusSigmoidAsItsMirror) {
  EXPECT_EQ(simple("1 - sigmoid(p_d)"), "sigmoid(-p_d)");
  EXPECT_EQ(simple("1 - sigmoid(-p_d)"), "sigmoid(p_d)");
  EXPECT_EQ(simple("sigmoid(p) - 1"), "-sigmoid(-p)");
  expect_same("1 - sigmoid(p) - sigmoid(w)", "1 - sigmoid(w) - sigmoid(p)");
}

TEST(Simplify, CollectsEqualPartsInAnyOrder) {
  expect_same("p + w + p", "w + 2 * p");
  expect_same("p * w * p", "p^2 * w");
  expect_same("p_k - (w - p_k)", "2 * p_k - w");
  expect_same("(p_k * p_d) / p_k", "p_d");
  expect_same("sqrt(2)^2 * p", "p * sqrt(2)^2");
  EXPECT_EQ(simple("p - p"), "0");
  EXPECT_EQ(simple("p / p"), "1");
}

TEST(Simplify, AddsFractionalPowersInAnyOrder) {
  EXPECT_EQ(simple("p^0.25 * p^0.5 * p^0.5 * p^0.75"), "p^2");
  EXPECT_EQ(simple("p^0.5 * p^-0.5"), "1");
  expect_same("p^0.25 * p^0.5", "p^0.5 * p^0.25");
}

TEST(Simplify, FoldsNumbersWhileTheyExist) {
  EXPECT_EQ(simple("2^10 + 1"), "1025");
  EXPECT_EQ(simple("p / 16"), "p/16");
  EXPECT_EQ(simple("1e300 * 1e300 * p"), "1e+300 * (1e+300 * p)");
  EXPECT_EQ(simple("exp(-1000)"), "exp(-1000)");  // not 0: its logarithm is -1000
  EXPECT_EQ(simple("tanh(0)"), "0");
}

TEST(Simplify, SurvivesNumbersWithoutAProduct) {
  for (const std::string text : {"1e300 * (1e300 * p + 1)", "1 / 0", "p / 0 / 0", "0 * p / 0",
                                 "1e-300 * (1e-300 * p - w)", "0^-1 + 0^0"}) {
    const Expr once = simplify(parse_formula(text));
    EXPECT_TRUE(equal(simplify(once), once)) << text << " -> " << to_string(once);
  }
}

TEST(Simplify, MergesPowersOnlyOfWhatIsPositive) {
  EXPECT_EQ(simple("(sigmoid(p)^2)^(1/tau)"), "sigmoid(p)^(2/tau)");
  EXPECT_EQ(simple("(p^2)^(1/tau)"), "(p^2)^(1/tau)");  // |p|^(2/tau), not p^(2/tau)
  EXPECT_EQ(simple("(p^2)^0.5"), "(p^2)^0.5");
}

TEST(Simplify, CancelsExponentialAndLogarithm) {
  EXPECT_EQ(simple("exp(log(sigmoid(p)))"), "sigmoid(p)");
  EXPECT_EQ(simple("log(exp(p_k - w))"), "p_k - w");
}

TEST(Expand, MultipliesOutSums) {
  const auto expanded = [](const std::string& text) {
    return to_string(expand(simplify(parse_formula(text))));
  };
  EXPECT_EQ(expanded("(p_k + p_d) / tau"), simple("p_k / tau + p_d / tau"));
  EXPECT_EQ(expanded("(p_k + w) * (p_d - w)"), simple("p_k*p_d - p_k*w + w*p_d - w^2"));
}

TEST(Derivative, KnowsClosedForms) {
  const auto slope = [](const std::string& text, const std::string& by) {
    return to_string(derivative(parse_formula(text), parse_symbol(by)));
  };
  EXPECT_EQ(slope("exp(p)", "p"), "exp(p)");
  EXPECT_EQ(slope("p^3", "p"), "3 * p^2");
  EXPECT_EQ(slope("sigmoid(p)", "p"), simple("sigmoid(p) * sigmoid(-p)"));
  EXPECT_EQ(slope("softplus(w * p)", "w"), simple("p * sigmoid(p * w)"));
  EXPECT_EQ(slope("log(exp(p))", "p"), "1");
  EXPECT_EQ(slope("p_k", "p_d"), "0");
  EXPECT_EQ(slope("2^w", "w"), simple("2^w * log(2)"));
  EXPECT_THROW(slope("rotate(p_k)", "p_k"), std::logic_error);
}

TEST(Logarithm, StaysExactWhereTheGateUnderflows) {
  const auto log_at = [](const std::string& text, double x) {
    return evaluate(*log_of(parse_formula(text)),
                    [x](const Symbol& s) { return stem_of(s).name == "tau" ? 16 : x; });
  };
  EXPECT_EQ(log_at("sigmoid(p)^(1/tau)", -1000), -62.5);
  EXPECT_EQ(log_at("sigmoid(p)^(1/tau)", -1e300), -1e300 / 16);
  EXPECT_EQ(log_at("exp(-exp(w))", 10), -std::exp(10));
  EXPECT_EQ(log_at("1 / (1 + exp(p))", 1000), -1000);
  EXPECT_EQ(log_at("1 - sigmoid(p)", 1000), -1000);
  EXPECT_EQ(log_at("(sigmoid(p_k) * sigmoid(p_d))^(1/tau)", -800), -100);
  EXPECT_EQ(log_at("sqrt(exp(-2000)) * sigmoid(p)", -1000), -2000);
  EXPECT_NEAR(log_at("sigmoid(p)^(1/tau)", 40), -std::exp(-40) / 16, 1e-33);
}

TEST(Logarithm, IsRefusedWhereTheGateMayBeZeroOrLess) {
  for (const std::string text : {"p", "tanh(p)", "relu(p)", "p^2", "sigmoid(p) - 0.5", "0"})
    EXPECT_FALSE(log_of(parse_formula(text))) << text;
}

TEST(Logarithm, SplitsByAxes) {
  const LogParts parts = split(*log_of(parse_formula("sigmoid(p_k)*exp(-w_d)*sigmoid(p)")));
  EXPECT_TRUE(parts.separable());
  EXPECT_EQ(to_string(parts.time), "-softplus(-p)");
  EXPECT_EQ(to_string(parts.k), "-softplus(-p_k)");
  EXPECT_EQ(to_string(parts.d), "-w_d");
}

}  // namespace lcsm
