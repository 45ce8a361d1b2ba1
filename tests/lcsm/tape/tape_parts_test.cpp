// Tapes of several formulas, values and gradients, against the formulas.
#include "lcsm/formula/derivative.h"
#include "tests/lcsm/tape/tape_cases.h"

namespace lcsm::test {
namespace {

constexpr std::uint64_t kTapePartsSeed = 33;

// Up to six formulas with common subexpressions, like the parts of complex numbers, and the
// gradient of their weighted sum.
struct Parts {
  std::vector<Expr> formulas;
  Gate gate;  // o: the sum
  Tape tape;

  Parts(std::vector<Expr> formulas_, bool is_static, RandomFormula* random)
      : formulas(std::move(formulas_)), gate(sum(), nullptr, random) {
    for (TapeLeaf& leaf : gate.leaves)
      if (is_static && leaf.spread != Spread::kNumber) leaf.spread = Spread::kChannels;
    tape = make_tape(formulas, gate.leaves);
    EXPECT_TRUE(tape.is_static || !is_static);
  }

  static double weight(std::size_t k) { return 0.5 + static_cast<double>(k); }
  Expr sum() const {
    Expr all = number(0);
    for (std::size_t k = 0; k < formulas.size(); ++k)
      all = add(all, multiply(number(weight(k)), formulas[k]));
    return all;
  }
  Interpreter run() const {
    Interpreter cell(tape, gate.numbers());
    cell.run(tape.gate);
    return cell;
  }
  std::map<int, double> gradients() const {
    Interpreter cell = run();
    for (std::size_t k = 0; k < formulas.size(); ++k) {
      EXPECT_EQ(of(tape, tape.parts[k].gradient).spread,
                tape.is_static ? Spread::kChannels : Spread::kCells);
      cell.write(tape.parts[k].gradient, weight(k));
    }
    cell.run(tape.gradient);
    std::map<int, double> d;
    for (const LeafSum& each : tape.sums)
      d[each.leaf] += cell.read(each.a) * (each.b < 0 ? 1 : cell.read(each.b));
    return d;
  }
};

// Half of the tapes are static.
void for_each_parts(const std::function<void(const Parts&)>& body) {
  RandomFormula random(kTapePartsSeed);
  for (int n = 0; n < 1000 && !::testing::Test::HasFailure(); ++n) {
    std::vector<Expr> formulas{random.expr(6)};
    while (random.chance(0.7) && formulas.size() < 6)
      formulas.push_back(multiply(formulas[random.below(formulas.size())], random.expr(3)));
    const Parts parts(formulas, random.chance(0.5), &random);
    SCOPED_TRACE("seed " + std::to_string(kTapePartsSeed) + ": " + to_string(parts.gate.o));
    const bool is_tame = !std::isinf(tolerance(parts.gate.o, parts.gate.values));
    if (is_tame && roots_are_positive(parts.gate.o, parts.gate.values)) body(parts);
  }
}

}  // namespace

TEST(TapeOfParts, HasTheirValues) {
  for_each_parts([](const Parts& parts) {
    for (std::size_t k = 0; k < parts.formulas.size(); ++k) {
      const double value = evaluate(parts.formulas[k], reader(parts.gate.values));
      EXPECT_NEAR(parts.run().read(parts.tape.parts[k].value), value,
                  tolerance(parts.gate.o, parts.gate.values));
    }
  });
}

TEST(TapeOfParts, HasTheirDerivatives) {
  int compared = 0, fixed = 0;
  for_each_parts([&](const Parts& parts) {
    fixed += parts.tape.is_static;
    const std::map<int, double> d = parts.gradients();
    for (std::size_t k = 0; k < parts.gate.leaves.size(); ++k) {
      const Expr slope = derivative(parts.gate.o, parts.gate.leaves[k].symbol);
      const double near = tolerance(slope, parts.gate.values);
      if (!parts.gate.leaves[k].learns || std::isinf(near)) continue;
      ++compared;
      const auto found = d.find(static_cast<int>(k));
      EXPECT_NEAR(found == d.end() ? 0 : found->second, evaluate(slope, reader(parts.gate.values)),
                  near);
    }
  });
  EXPECT_GT(compared, 1000);
  EXPECT_GT(fixed, 200);
}

}  // namespace lcsm::test
