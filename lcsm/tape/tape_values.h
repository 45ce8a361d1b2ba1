// The values of a tape under construction; equal computations share one value.
#pragma once

#include <map>
#include <tuple>

#include "lcsm/tape/tape.h"

namespace lcsm {

class TapeValues {
 public:
  explicit TapeValues(const std::vector<TapeLeaf>& leaves);

  int leaf(const Symbol& symbol) const { return named_.at(symbol); }
  int given(Spread spread);  // set by the pass over time
  int number(double value);
  int emit(TapeOp op, int a, int b = -1);
  int sigmoid_power(int x, double c);  // exp(c softplus(x)), and the slope of its logarithm

  bool is(int value, double what) const;
  bool is_number(int value) const;
  bool is_cells(int value) const { return of(value).spread == Spread::kCells; }
  bool over_steps(int value) const { return is_cells(value) || of(value).spread == Spread::kSteps; }
  const TapeValue& of(int value) const { return tape.values[static_cast<std::size_t>(value)]; }

  Tape tape;
  std::vector<Instruction>* list = &tape.gate;  // receives the instructions

 protected:
  int size() const { return static_cast<int>(tape.values.size()); }

 private:
  std::map<Symbol, int> named_;
  std::map<double, int> numbers_;
  std::map<std::tuple<TapeOp, int, int>, int> made_;
  std::map<int, int> negated_;  // a negation -> its operand
};

}  // namespace lcsm
