// Random gates for tapes, and an interpreter that runs a tape on one cell through its buffers.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "lcsm/tape/tape.h"
#include "tests/lcsm/formula/random_formula.h"

namespace lcsm::test {

inline const TapeValue& of(const Tape& tape, int value) {
  return tape.values.at(static_cast<std::size_t>(value));
}

// Runs a tape on one cell. A buffer remembers which value it holds; reading another value is a
// failure.
class Interpreter {
 public:
  Interpreter(const Tape& tape, std::vector<double> leaves)
      : tape_(tape),
        leaves_(std::move(leaves)),
        buffers_(static_cast<std::size_t>(tape.slots)),
        owners_(buffers_.size(), -1) {}

  void run(const std::vector<Instruction>& list) {
    for (const Instruction& step : list) {
      const double a = read(step.a), b = step.b < 0 ? 0 : read(step.b);
      const double c = step.c < 0 ? 0 : read(step.c);
      expect_room(step);
      write(step.out, apply(step.op, a, b, c));
      if (step.op == TapeOp::kSigmoidPower) write(tape_.slope, c / (1 + std::exp(-a * b)));
    }
  }

  double read(int value) const {
    const TapeValue& v = of(tape_, value);
    if (v.leaf >= 0) return leaves_.at(static_cast<std::size_t>(v.leaf));
    if (v.slot < 0) return v.number;
    EXPECT_EQ(owners_.at(static_cast<std::size_t>(v.slot)), value) << "overwritten";
    return buffers_[static_cast<std::size_t>(v.slot)];
  }
  void write(int value, double number) {
    const int slot = of(tape_, value).slot;
    ASSERT_GE(slot, 0);
    buffers_.at(static_cast<std::size_t>(slot)) = number;
    owners_.at(static_cast<std::size_t>(slot)) = value;
  }

 private:
  // A buffer may be reused in place only if every cell is read once: from cells into cells.
  void expect_room(const Instruction& step) const {
    const TapeValue& out = of(tape_, step.out);
    for (const int arg : {step.a, step.b}) {
      if (arg < 0 || of(tape_, arg).slot != out.slot) continue;
      EXPECT_EQ(out.spread, Spread::kCells);
      EXPECT_EQ(of(tape_, arg).spread, Spread::kCells);
    }
  }

  static double apply(TapeOp op, double a, double b, double c) {
    const auto value = [&](Function f) { return row_of(f).value(a, b); };
    switch (op) {
      case TapeOp::kAdd:
      case TapeOp::kSubtract:
        return op == TapeOp::kAdd ? a + b : a - b;
      case TapeOp::kMultiply:
        return a * b;
      case TapeOp::kDivide:
        return a / b;
      case TapeOp::kMin:
      case TapeOp::kMax:
        return value(op == TapeOp::kMin ? Function::kMin : Function::kMax);
      case TapeOp::kExpTimes:
        return std::exp(a * b);
      case TapeOp::kSigmoidOf:
        return (a >= 0 ? 1 : b) / (1 + b);
      case TapeOp::kSoftplusOf:
        return std::max(a, 0.0) + std::log1p(b);
      case TapeOp::kSigmoidPower:
        return std::pow(1 + std::exp(a * b), c);
      case TapeOp::kNegate:
        return -a;
      case TapeOp::kAbs:
        return std::abs(a);
      case TapeOp::kStep:
        return value(Function::kStep);
      case TapeOp::kSqrt:
        return std::sqrt(a);
      case TapeOp::kTanh:
        return std::tanh(a);
      case TapeOp::kElu:
        return value(Function::kElu);
      case TapeOp::kLog:
        return std::log(a);
      case TapeOp::kExp:
        return std::exp(a);
      case TapeOp::kCos:
      case TapeOp::kSin:
        return value(op == TapeOp::kCos ? Function::kCos : Function::kSin);
      case TapeOp::kExpDown:
        return std::exp(-std::abs(a));
    }
    return NAN;
  }

  const Tape& tape_;
  const std::vector<double> leaves_;
  std::vector<double> buffers_;
  std::vector<int> owners_;
};

struct Gate {
  Expr o, w;  // w null = none
  std::vector<TapeLeaf> leaves;
  Values values;

  Gate(Expr o_, Expr w_, RandomFormula* random) : o(std::move(o_)), w(std::move(w_)) {
    const Expr both = w ? add(o, w) : o;
    values = random->values_for(both);
    for (const Symbol& s : symbols_of(both))
      leaves.push_back({s, static_cast<Spread>(random->below(4)), random->chance(0.8)});
  }
  std::vector<double> numbers() const {
    std::vector<double> all;
    for (const TapeLeaf& leaf : leaves) all.push_back(values.at(leaf.symbol));
    return all;
  }
};

// The tolerance between two ways of computing a value: its change by rounding the symbols; infinite
// beside a jump or a pole.
inline double tolerance(const Expr& e, const Values& values) {
  const double most = largest_part(e, values);
  double moves = 1e-10 * (1 + most);
  for (const auto& [symbol, value] : values)
    for (const double by : {-1e-9, 1e-9}) {
      Values moved = values;
      moved[symbol] = value + by * (1 + std::abs(value));
      moves += std::abs(evaluate(e, reader(moved)) - evaluate(e, reader(values)));
    }
  return most < 1e4 && moves < 1e-3 ? moves : INFINITY;
}

// A root of 0 has no slope.
inline bool roots_are_positive(const Expr& e, const Values& values) {
  return every_part(e, values, [&](const Expr& part, double value) {
    return value != 0 || (!is_call(part, Function::kSqrt) && part->op != Op::kPower);
  });
}

}  // namespace lcsm::test
