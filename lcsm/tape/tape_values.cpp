#include "lcsm/tape/tape_values.h"

namespace lcsm {

Spread both(Spread a, Spread b) {
  if (a == b || b == Spread::kNumber) return a;
  return a == Spread::kNumber ? b : Spread::kCells;
}

TapeValues::TapeValues(const std::vector<TapeLeaf>& leaves) {
  for (const TapeLeaf& leaf : leaves) {
    named_[leaf.symbol] = size();
    tape.values.push_back({leaf.spread, static_cast<int>(&leaf - leaves.data()), 0, -1});
  }
}

int TapeValues::given(Spread spread) {
  tape.values.push_back({spread, -1, 0, -1});
  return size() - 1;
}

int TapeValues::number(double value) {
  const auto [at, added] = numbers_.try_emplace(value, size());
  if (added) tape.values.push_back({Spread::kNumber, -1, value, -1});
  return at->second;
}
bool TapeValues::is(int value, double what) const {
  const auto found = numbers_.find(what);
  return found != numbers_.end() && found->second == value;
}
bool TapeValues::is_number(int value) const {
  const auto& asked = of(value);
  return asked.leaf < 0 && is(value, asked.number);
}

int TapeValues::emit(TapeOp op, int a, int b) {
  if (op == TapeOp::kMultiply && is(a, 1)) return b;
  if (op == TapeOp::kMultiply && is(b, 1)) return a;
  if (op == TapeOp::kAdd && is(a, 0)) return b;
  if (op == TapeOp::kAdd && is(b, 0)) return a;
  if (const auto negated = negated_.find(a); negated != negated_.end()) {
    if (op == TapeOp::kNegate) return negated->second;
    if (op == TapeOp::kExpDown) return emit(op, negated->second);
  }
  if ((op == TapeOp::kMultiply || op == TapeOp::kAdd) && b < a) std::swap(a, b);
  const auto [at, added] = made_.try_emplace({op, a, b}, size());
  if (!added) return at->second;
  const Spread spread = b < 0 ? of(a).spread : both(of(a).spread, of(b).spread);
  tape.values.push_back({spread, -1, 0, -1});
  list->push_back({op, a, b, at->second});
  if (op == TapeOp::kNegate) negated_[at->second] = a;
  return at->second;
}

int TapeValues::sigmoid_power(int x, double c) {
  const int one = number(1), power = number(c), out = size();
  tape.slope = out + 1;
  tape.values.insert(tape.values.end(), 2, TapeValue{of(x).spread, -1, 0, -1});
  list->push_back({TapeOp::kSigmoidPower, x, one, out, power});
  return out;
}

}  // namespace lcsm
