#include "lcsm/formula/formula.h"

#include <gtest/gtest.h>

namespace lcsm {
namespace {

std::string refusal(const std::string& text, FormulaUse use = FormulaUse::kGate) {
  try {
    parse_formula(text, use);
  } catch (const FormulaError& error) {
    return std::to_string(error.column) + ": " + error.what();
  }
  return "accepted";
}

void expect_refused(const std::string& text, std::size_t column, const std::string& part) {
  const std::string why = refusal(text);
  EXPECT_EQ(why.substr(0, why.find(':')), std::to_string(column)) << text << " -> " << why;
  EXPECT_NE(why.find(part), std::string::npos) << text << " -> " << why;
}

std::string printed(const std::string& text, Style style = Style::kAscii) {
  return to_string(parse_formula(text), style);
}

}  // namespace

TEST(Formula, BindsPowersThenSignsThenProductsThenSums) {
  EXPECT_TRUE(equal(parse_formula("-p^2"), parse_formula("-(p^2)")));
  EXPECT_TRUE(equal(parse_formula("p^w^2"), parse_formula("p^(w^2)")));
  EXPECT_TRUE(equal(parse_formula("-p * w"), parse_formula("(-p) * w")));
  EXPECT_TRUE(equal(parse_formula("p - w - 1"), parse_formula("(p - w) - 1")));
  EXPECT_TRUE(equal(parse_formula("p / w / 2"), parse_formula("(p / w) / 2")));
  EXPECT_TRUE(equal(parse_formula("2^-p"), parse_formula("2^(-p)")));
}

TEST(Formula, PrintsParenthesesOnlyWhereTheTreeNeedsThem) {
  EXPECT_EQ(printed("((sigmoid((p_k)))^((1/tau)))"), "sigmoid(p_k)^(1/tau)");
  EXPECT_EQ(printed("p-(w-1)"), "p - (w - 1)");
  EXPECT_EQ(printed("(p*w)*(w*2)"), "p * w * (w * 2)");
  EXPECT_EQ(printed("(-p)^2"), "(-p)^2");
  EXPECT_EQ(printed("--p"), "--p");
}

TEST(Formula, PrintsForScreensAndForPapers) {
  EXPECT_EQ(printed("sigmoid(p_k*w_kd)^(1/tau)", Style::kUnicode), "σ(p_k·w_kd)^(1/τ)");
  EXPECT_EQ(printed("exp(-w_d2)", Style::kUnicode), "exp(−w_d2)");
  EXPECT_EQ(printed("p/w", Style::kLatex), "\\frac{p}{w}");
  EXPECT_EQ(printed("sigmoid(p_k)^(1/tau)", Style::kLatex),
            "\\left(\\sigma\\left(p_{k}\\right)\\right)^{1/\\tau}");
  EXPECT_EQ(printed("rotate(theta_k)", Style::kLatex), "e^{\\mathrm{i}\\,\\theta_{k}}");
  EXPECT_EQ(printed("w_kd2", Style::kLatex), "w_{kd,2}");
}

TEST(Formula, MaySpanSeveralLines) {
  EXPECT_EQ(printed("exp(\n  -exp(w_d)\r\n)\n"), "exp(-exp(w_d))");
}

TEST(Formula, KeepsEveryDigitOfANumber) {
  for (const double value : {0.1, 1e300, 5e-324, 1.0 / 3, 123456789.0, 0.5})
    EXPECT_EQ(parse_formula(number_text(value))->number, value);
}

TEST(Formula, KnowsOverWhatItVaries) {
  EXPECT_EQ(to_string(type_of(parse_formula("p_k * w_d"))), "k x d, data");
  EXPECT_EQ(to_string(type_of(parse_formula("w_kd"))), "k x d, static");
  EXPECT_EQ(to_string(type_of(parse_formula("sigmoid(p)"))), "one value per step");
  EXPECT_EQ(to_string(type_of(parse_formula("1/tau"))), "constant");
  EXPECT_EQ(to_string(type_of(parse_formula("cumsoftmax(w_k)"))), "k, data");
}

TEST(Formula, RefusesWhatIsNotAFormulaWhereItStops) {
  expect_refused("", 1, "got the end");
  expect_refused("p +", 4, "got the end");
  expect_refused("(p", 3, "expected ')' for the '(' in column 1");
  expect_refused("p)", 2, "unmatched ')'");
  expect_refused("p w", 3, "expected an operator");
  expect_refused("2p", 2, "expected an operator after the number");
  expect_refused("1.2.3", 4, "expected an operator");
  expect_refused("p ** 2", 3, "a power is written ^");
  expect_refused(".", 1, "expected a number");
  expect_refused("p + \xff", 5, "an invalid character");
  expect_refused("\u03c3(p)", 1, "got a sign that is written sigmoid");
  expect_refused("p^(1/\u03c4)", 6, "got a sign that is written tau");
  expect_refused("p\u00b7w", 2, "got a sign that is written *");
  expect_refused(std::string("p\0w", 3), 2, "an invalid character");
  expect_refused("1e999", 1, "too large or too small");
}

TEST(Formula, RefusesUnknownNamesWithAHint) {
  expect_refused("1 - sigmod(p_d)", 5, "did you mean 'sigmoid'");
  expect_refused("exp(theta)", 5, "there is theta_k");
  expect_refused("w_x", 1, "there are w, w_k, w_d, w_kd");
  expect_refused("p_kd", 1, "would need a projection");
  expect_refused("p_dk", 1, "would need a projection");
  expect_refused("w_dk", 1, "write _kd");
  expect_refused("p_k1", 1, "numbered from 2 to 99");
  expect_refused("tau2", 1, "takes no number");
  expect_refused("sigmoid + 1", 1, "needs its argument in parentheses");
  expect_refused("max(p)", 1, "takes 2 arguments, got 1");
  expect_refused("o", 1, "is allowed only in: scale, read");
  expect_refused("1 + normal", 5, "is allowed only in: initial values");
  expect_refused("o_k", 1, "is not a symbol");
}

TEST(Formula, AllowsEachSymbolOnlyInItsPlaces) {
  EXPECT_EQ(refusal("sqrt(1 - o^2)", FormulaUse::kScale), "accepted");
  EXPECT_EQ(refusal("0.1 * normal", FormulaUse::kInit), "accepted");
  EXPECT_NE(refusal("normal", FormulaUse::kGate), "accepted");
  EXPECT_NE(refusal("p_d", FormulaUse::kInit), "accepted");
  EXPECT_EQ(refusal("(q - 1) / complex(w_kd, w_kd2)", FormulaUse::kScale), "accepted");
  EXPECT_EQ(refusal("rotate(p_k)", FormulaUse::kScale), "accepted");
  EXPECT_NE(refusal("rotate(index_k)", FormulaUse::kInit), "accepted");
  EXPECT_NE(refusal("cumsoftmax(p_k)", FormulaUse::kScale), "accepted");
  EXPECT_NE(refusal("complex(p_k, p_d)", FormulaUse::kGate), "accepted");
  EXPECT_NE(refusal("index_k", FormulaUse::kRank), "accepted");
}

TEST(Formula, RefusesDeepAndLongTextsWithAReason) {
  EXPECT_NE(refusal(std::string(9000, '(')).find("64 levels"), std::string::npos);
  EXPECT_NE(refusal(std::string(9000, '-')).find("64 levels"), std::string::npos);
  EXPECT_NE(refusal(std::string(20000, ' ')).find("characters"), std::string::npos);
  std::string sum = "p";
  for (int i = 0; i < 127; ++i) sum += "+p";
  EXPECT_EQ(refusal(sum), "accepted");
  EXPECT_NE(refusal(sum + "+p").find("256 numbers"), std::string::npos);
}

}  // namespace lcsm
