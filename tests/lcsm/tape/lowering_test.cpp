// Checks that the parts before the loop and inside it together make the gate.
#include "lcsm/tape/lowering.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lcsm/code/oscillation.h"
#include "lcsm/formula/logarithm.h"
#include "lcsm/formula/simplify.h"
#include "tests/lcsm/tape/tape_cases.h"

namespace lcsm::test {
namespace {

constexpr std::uint64_t kLoweringSeed = 32;

Expr with_tau(const Expr& e) {
  return substitute(e,
                    [](const Symbol& s) { return stem_of(s).name == "tau" ? number(8) : nullptr; });
}

// A gate and its scale, as the machines get them.
struct LoweredGate {
  Expr o, scale;  // scale null = none
  std::optional<Expr> log_o;

  LoweredGate(const Expr& real, const Expr& by) : o(simplify(with_tau(real))) {
    log_o = log_of(o);
    if (by) scale = simplify(with_tau(by));
  }
  Lowering lowered() const { return lower(o, log_o ? *log_o : nullptr, scale); }
};

LoweredGate row_gate(const std::string& name) {
  const Catalogue catalogue;
  const Oscillation& row = *catalogue.find(name);
  return {gate_of(row.o).real, row.scale};
}

void for_each_gate(const std::function<void(const LoweredGate&, RandomFormula*)>& body) {
  RandomFormula random(kLoweringSeed);
  const Catalogue catalogue;
  for (const Oscillation& row : catalogue.all())
    if (!row.matrix && !row.read) body({gate_of(row.o).real, row.scale}, &random);
  for (int n = 0; n < 2000 && !::testing::Test::HasFailure(); ++n) {
    const Expr part = random.expr(2 + static_cast<int>(random.below(20)));
    const Expr o = random.chance(0.5) ? call(Function::kSigmoid, {part}) : part;
    const Expr scale = random.chance(0.3)   ? parse_formula("1 - o^2", FormulaUse::kScale)
                       : random.chance(0.3) ? random.expr(6)
                                            : nullptr;
    SCOPED_TRACE("seed " + std::to_string(kLoweringSeed) + ": o = " + to_string(o));
    body({o, scale}, &random);
  }
}

Expr put_back(const Expr& e, const Lowering& lowering) {
  return substitute(e, [&](const Symbol& s) -> Expr {
    for (const Leaf& leaf : lowering.leaves)
      if (leaf.symbol == s) return leaf.formula;
    return nullptr;
  });
}

Expr product_with_e(const LoweredGate& gate) {
  const Expr by = substitute(
      gate.scale, [&](const Symbol& s) { return stem_of(s).name == "o" ? gate.o : nullptr; });
  return multiply(symbol(written_e()), by);
}

}  // namespace

TEST(Lowering, IsTheGateWhenTheLeavesArePutBack) {
  int compared = 0;
  for_each_gate([&](const LoweredGate& gate, RandomFormula* random) {
    const Lowering lowering = gate.lowered();
    const Values values = random->values_for(gate.o);
    const double near = tolerance(gate.o, values);
    if (std::isinf(near)) return;
    ++compared;
    EXPECT_NEAR(evaluate(put_back(lowering.o, lowering), reader(values)),
                evaluate(gate.o, reader(values)), near);
  });
  EXPECT_GT(compared, 1000);
}

TEST(Lowering, WritesEByTheScale) {
  int compared = 0;
  for_each_gate([&](const LoweredGate& gate, RandomFormula* random) {
    const Lowering lowering = gate.lowered();
    EXPECT_EQ(lowering.w != nullptr, gate.scale != nullptr);
    if (!gate.scale) return;
    const Expr expected = product_with_e(gate);
    Values values = random->values_for(add(expected, gate.o));
    values[written_e()] = 0.8;
    const double near = tolerance(expected, values);
    if (std::isinf(near)) return;
    ++compared;
    EXPECT_NEAR(evaluate(put_back(lowering.w, lowering), reader(values)),
                evaluate(expected, reader(values)), near);
  });
  EXPECT_GT(compared, 500);
}

TEST(Lowering, LeavesNothingButLeavesInside) {
  for_each_gate([](const LoweredGate& gate, RandomFormula*) {
    const Lowering lowering = gate.lowered();
    for (const Expr& e : {lowering.o, lowering.w ? lowering.w : number(1)})
      for (const Symbol& s : symbols_of(e))
        EXPECT_TRUE(s == written_e() ||
                    std::any_of(lowering.leaves.begin(), lowering.leaves.end(),
                                [&](const Leaf& leaf) { return leaf.symbol == s; }))
            << to_string(s);
  });
}

TEST(Lowering, NoLeafVariesOverAllThree) {
  for_each_gate([](const LoweredGate& gate, RandomFormula*) {
    for (const Leaf& leaf : gate.lowered().leaves) {
      EXPECT_FALSE(leaf.type.k && leaf.type.d && leaf.type.data) << to_string(leaf.formula);
      EXPECT_EQ(leaf.type, type_of(leaf.formula));
    }
  });
}

TEST(Lowering, WhatVariesOverLessIsALeafAsAWhole) {
  for (const std::string row : {"0", "2", "3", "4", "5"}) {
    const Lowering lowering = row_gate(row).lowered();
    EXPECT_NE(lowering.o->op, Op::kCall) << row;
    EXPECT_EQ(lowering.leaves.size(), 1u) << row;
  }
}

TEST(Lowering, PutsPartsOfOneKindTogether) {
  const auto leaves = [](const std::string& row) { return row_gate(row).lowered().leaves; };
  EXPECT_EQ(leaves("9").size(), 2u);    // p_k and w_d
  EXPECT_EQ(leaves("7").size(), 2u);    // p_d and w_kd
  EXPECT_EQ(leaves("ssm").size(), 2u);  // exp(w_kd) and softplus(p_d), twice
  const LoweredGate gate(parse_formula("sigmoid(w_k * p_k * 2 * p_d * p_d2 + w + p)"), nullptr);
  EXPECT_EQ(gate.lowered().leaves.size(), 5u);  // w_k, p_k, p_d * p_d2, w, p
}

TEST(Lowering, KnowsALeafAgain) {
  const LoweredGate gate(parse_formula("sigmoid(p_k * w_d)"), parse_formula("exp(p_k * w_d)"));
  std::vector<Expr> formulas;
  for (const Leaf& leaf : gate.lowered().leaves) {
    for (const Expr& other : formulas) EXPECT_FALSE(equal(other, leaf.formula));
    formulas.push_back(leaf.formula);
  }
}

// For a memory of one row, values that vary over d and the data are computed inside the loop, from
// projections and static values.
TEST(Lowering, OfOneRowIsInside) {
  const Expr o = parse_formula("sigmoid(2 * p_d * exp(w_d) + p * exp(w))^(1/8)");
  const Lowering whole = lower(o, nullptr, nullptr), row = lower(o, nullptr, nullptr, true);
  EXPECT_EQ(whole.leaves.size(), 1u);
  EXPECT_TRUE(equal(whole.o, symbol(whole.leaves[0].symbol)));
  EXPECT_EQ(row.leaves.size(), 3u);
  for (const Leaf& leaf : row.leaves)
    EXPECT_TRUE(!(leaf.type.d && leaf.type.data) || equal(leaf.formula, parse_formula("p_d")));
  EXPECT_TRUE(equal(simplify(put_back(row.o, row)), simplify(o)))
      << to_string(put_back(row.o, row));
}

TEST(Lowering, LeavesNumbersThatAreNotFiniteAsTheyAre) {
  const LoweredGate gate(parse_formula("tanh(p_k * w_d * exp(1000))"), nullptr);
  EXPECT_EQ(gate.lowered().leaves.size(), 3u);
}

TEST(Lowering, TheRunningSoftmaxIsNoLeafOfAnother) {
  Symbol softmax = running_softmax_log();
  softmax.axes = Axes::kK;
  const Expr log_o = add(parse_formula("-softplus(p_k * w_d)"), symbol(softmax));
  const Lowering lowering = lower(call(Function::kExp, {log_o}), log_o, nullptr);
  for (const Leaf& leaf : lowering.leaves) EXPECT_NE(leaf.symbol, softmax);
  EXPECT_EQ(lowering.leaves.size(), 3u);
}

TEST(Lowering, OfPartsPutsBackToEach) {
  RandomFormula random(kLoweringSeed);
  int compared = 0;
  for (int n = 0; n < 500; ++n) {
    const Expr o = call(Function::kSigmoid, {random.expr(6)}), angle = random.expr(4);
    const auto plain = [](const Expr& e) { return simplify(with_tau(e)); };
    const std::vector<Expr> parts{plain(multiply(o, call(Function::kCos, {angle}))),
                                  plain(multiply(o, call(Function::kSin, {angle})))};
    const LoweredParts lowered = lower(parts);
    Lowering all;
    all.leaves = lowered.leaves;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const Values values = random.values_for(parts[k]);
      const double near = tolerance(parts[k], values);
      if (std::isinf(near)) continue;
      ++compared;
      EXPECT_NEAR(evaluate(put_back(lowered.parts[k], all), reader(values)),
                  evaluate(parts[k], reader(values)), near);
    }
    for (const Leaf& leaf : lowered.leaves)
      EXPECT_FALSE(leaf.type.k && leaf.type.d && leaf.type.data) << to_string(leaf.formula);
  }
  EXPECT_GT(compared, 300);
}

TEST(Lowering, OfStaticPartsIsALeafForEach) {
  const Expr e = symbol(static_e());
  const LoweredParts lowered =
      lower({parse_formula("exp(-exp(w_kd)) * cos(w_kd2)", FormulaUse::kAny),
             multiply(e, parse_formula("1 - exp(-exp(w_kd))", FormulaUse::kAny))});
  EXPECT_EQ(lowered.leaves.size(), 2u);
  for (const Expr& part : lowered.parts) EXPECT_EQ(part->op, Op::kSymbol);
}

TEST(Lowering, SpreadsInABlockAtOneK) {
  EXPECT_EQ(spread_of({.k = true, .d = true, .data = true}), Spread::kCells);
  EXPECT_EQ(spread_of({.k = true, .data = true}), Spread::kSteps);
  EXPECT_EQ(spread_of({.k = true, .d = true}), Spread::kChannels);
  EXPECT_EQ(spread_of({.k = true}), Spread::kNumber);
}

}  // namespace lcsm::test
