// Tapes of random formulas, run on one cell through their buffers, against the formulas.
#include "lcsm/tape/tape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "lcsm/formula/derivative.h"
#include "tests/lcsm/tape/tape_cases.h"

namespace lcsm::test {
namespace {

constexpr std::uint64_t kSeed = 31;

// Gates of every form: plain, exponentials, with a separate write, with the gate as the write.
void for_each_gate_tape(int count, const std::function<void(const Gate&, const Tape&)>& body) {
  RandomFormula random(kSeed);
  for (int n = 0; n < count && !::testing::Test::HasFailure(); ++n) {
    const auto some = [&] { return random.expr(2 + static_cast<int>(random.below(20))); };
    const Expr part = some();
    const Expr power = multiply(number(-0.25), call(Function::kSoftplus, {part}));
    const Expr o =
        random.chance(0.4) ? call(Function::kExp, {random.chance(0.3) ? power : part}) : part;
    const Gate gate(o, random.chance(0.4) ? some() : random.chance(0.1) ? o : nullptr, &random);
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ": o = " + to_string(gate.o) +
                 (gate.w ? ", w = " + to_string(gate.w) : ""));
    body(gate, make_tape(gate.o, gate.w, gate.leaves));
  }
}

// The gradient of o d_o + w d_w in one cell.
std::map<int, double> gradients(const Tape& tape, Interpreter* cell, double d_o, double d_w) {
  if (tape.by_log) d_o *= cell->read(tape.o);
  if (tape.slope >= 0) d_o *= cell->read(tape.slope);
  cell->write(tape.d_o, d_o);
  if (tape.d_w >= 0) cell->write(tape.d_w, d_w);
  cell->run(tape.gradient);
  std::map<int, double> d;
  for (const LeafSum& sum : tape.sums)
    d[sum.leaf] += cell->read(sum.a) * (sum.b < 0 ? 1 : cell->read(sum.b));
  return d;
}

}  // namespace

TEST(Tape, HasTheValueOfTheFormula) {
  int compared = 0;
  for_each_gate_tape(2000, [&](const Gate& gate, const Tape& tape) {
    Interpreter cell(tape, gate.numbers());
    cell.run(tape.gate);
    EXPECT_EQ(tape.w >= 0, gate.w != nullptr);
    for (const auto& [e, value] : {std::pair{gate.o, tape.o}, {gate.w, tape.w}}) {
      if (!e || std::isinf(tolerance(e, gate.values))) continue;
      ++compared;
      EXPECT_NEAR(cell.read(value), evaluate(e, reader(gate.values)), tolerance(e, gate.values));
    }
  });
  EXPECT_GT(compared, 1000);
}

TEST(Tape, HasTheDerivativesOfTheFormula) {
  int compared = 0;
  for_each_gate_tape(2000, [&](const Gate& gate, const Tape& tape) {
    constexpr double kDo = 0.7, kDw = -1.3;
    Expr sum = multiply(number(kDo), gate.o);
    if (gate.w) sum = add(sum, multiply(number(kDw), gate.w));
    if (std::isinf(tolerance(sum, gate.values)) || !roots_are_positive(sum, gate.values)) return;
    Interpreter cell(tape, gate.numbers());
    cell.run(tape.gate);
    const std::map<int, double> d = gradients(tape, &cell, kDo, kDw);
    for (std::size_t n = 0; n < gate.leaves.size(); ++n) {
      if (!gate.leaves[n].learns) continue;
      const Expr slope = derivative(sum, gate.leaves[n].symbol);
      const double near = tolerance(slope, gate.values);
      if (std::isinf(near)) continue;
      ++compared;
      const auto found = d.find(static_cast<int>(n));
      EXPECT_NEAR(found == d.end() ? 0 : found->second, evaluate(slope, reader(gate.values)), near)
          << to_string(gate.leaves[n].symbol);
    }
  });
  EXPECT_GT(compared, 2000);
}

TEST(Tape, ComputesNoUnwantedGradient) {
  for_each_gate_tape(2000, [](const Gate& gate, const Tape& tape) {
    for (const LeafSum& sum : tape.sums)
      EXPECT_TRUE(gate.leaves.at(static_cast<std::size_t>(sum.leaf)).learns);
  });
}

TEST(Tape, SpreadsOverWhatItsArgumentsSpreadOver) {
  for_each_gate_tape(2000, [](const Gate&, const Tape& tape) {
    for (const auto* list : {&tape.gate, &tape.gradient})
      for (const Instruction& step : *list) {
        const Spread a = of(tape, step.a).spread;
        const Spread both_of = takes_two(step.op) ? both(a, of(tape, step.b).spread) : a;
        EXPECT_EQ(of(tape, step.out).spread, both_of);
        EXPECT_EQ(step.b >= 0, takes_two(step.op));
      }
    for (const LeafSum& sum : tape.sums)  // a gradient is of cells before it is summed
      EXPECT_TRUE(of(tape, sum.a).spread == Spread::kCells ||
                  (sum.b >= 0 && of(tape, sum.b).spread == Spread::kCells));
  });
}

TEST(Tape, ComputesEachValueOnce) {
  for_each_gate_tape(2000, [](const Gate&, const Tape& tape) {
    std::set<int> made;
    for (const auto* list : {&tape.gate, &tape.gradient})
      for (const Instruction& step : *list) EXPECT_TRUE(made.insert(step.out).second);
  });
}

TEST(Tape, BothIsWhatTwoSpreadsCoverTogether) {
  constexpr Spread kAll[] = {Spread::kNumber, Spread::kSteps, Spread::kChannels, Spread::kCells};
  for (const Spread a : kAll) {
    EXPECT_EQ(both(a, a), a);
    EXPECT_EQ(both(a, Spread::kNumber), a);
    EXPECT_EQ(both(a, Spread::kCells), Spread::kCells);
    for (const Spread b : kAll) EXPECT_EQ(both(a, b), both(b, a));
  }
  EXPECT_EQ(both(Spread::kSteps, Spread::kChannels), Spread::kCells);
}

TEST(Tape, TakesTheLogarithmOfAnExponential) {
  const Symbol p = parse_symbol("p");
  const std::vector<TapeLeaf> leaves{{p, Spread::kCells, true}};
  const Expr exponential = parse_formula("exp(-softplus(p))"), plain = parse_formula("sigmoid(p)");
  EXPECT_TRUE(make_tape(exponential, nullptr, leaves).by_log);
  EXPECT_TRUE(make_tape(exponential, plain, leaves).by_log);
  EXPECT_FALSE(make_tape(plain, nullptr, leaves).by_log);
  EXPECT_FALSE(make_tape(exponential, exponential, leaves).by_log);  // two gradients of one value
}

TEST(Tape, ComputesAPowerOfASigmoidInOneInstruction) {
  const Symbol p = parse_symbol("p"), w = parse_symbol("w_d");
  const std::vector<TapeLeaf> leaves{{p, Spread::kSteps, true}, {w, Spread::kChannels, true}};
  const auto whole = [&](const std::string& formula, const Expr& write = nullptr) {
    const Tape tape = make_tape(parse_formula(formula), write, leaves);
    EXPECT_EQ(tape.slope >= 0, tape.gate[0].op == TapeOp::kSigmoidPower) << formula;
    return tape.gate.size() == 1 && tape.gradient.empty() && tape.slope >= 0;
  };
  EXPECT_TRUE(whole("exp(-softplus(p * w_d))"));
  EXPECT_TRUE(whole("exp(-0.5 * softplus(p * w_d))"));
  EXPECT_TRUE(whole("exp(softplus(p * w_d) / (-16))"));
  EXPECT_FALSE(whole("exp(softplus(p * w_d))"));  // grows without bound
  EXPECT_FALSE(whole("exp(-softplus(p))"));       // one number for a row
  EXPECT_FALSE(whole("exp(-softplus(p * w_d) - w_d)"));
  EXPECT_FALSE(whole("exp(-softplus(p * w_d))", symbol(w)));  // a write may read the gate
}

TEST(Tape, FindsTwoFactorsOfAGate) {
  const Symbol p = parse_symbol("p"), w = parse_symbol("w_d");
  const auto factors = [&](const std::string& formula, Spread over = Spread::kCells,
                           bool learns = true, const Expr& write = nullptr) {
    return make_tape(parse_formula(formula), write,
                     {{w, Spread::kChannels, true}, {p, over, learns}})
        .factors;
  };
  for (const Spread over : {Spread::kCells, Spread::kSteps})
    for (const std::string formula :
         {"exp(p * w_d)", "p * w_d", "exp(-softplus(p * w_d))", "exp(w_d * p)"}) {
      const auto found = factors(formula, over);
      ASSERT_TRUE(found) << formula;
      EXPECT_EQ(found->rows, 1);
      EXPECT_EQ(found->channels, 0);
    }
  EXPECT_FALSE(factors("exp(p + w_d)"));
  EXPECT_FALSE(factors("exp(p * w_d) * p"));
  EXPECT_FALSE(factors("exp(p * exp(w_d))"));                              // needs a product first
  EXPECT_FALSE(factors("exp(p * w_d)", Spread::kCells, false));            // one gradient
  EXPECT_FALSE(factors("exp(p * w_d)", Spread::kChannels));                // none over steps
  EXPECT_FALSE(factors("exp(p * w_d)", Spread::kCells, true, symbol(w)));  // w has two
}

TEST(Tape, RefusesWhatHasNoValueAtOneStep) {
  EXPECT_THROW(make_tape(parse_formula("cumsoftmax(p)"), nullptr,
                         {{parse_symbol("p"), Spread::kCells, true}}),
               std::logic_error);
}

}  // namespace lcsm::test
