#include "lcsm/tape/tape_slots.h"

#include <algorithm>
#include <optional>

namespace lcsm {
namespace {

// How often each value is used.
struct Uses {
  explicit Uses(const Tape& tape) : times(tape.values.size(), 0) {
    const auto use = [this](int value) {
      if (value >= 0) ++times[static_cast<std::size_t>(value)];
    };
    for (const auto* list : {&tape.gate, &tape.gradient})
      for (const Instruction& step : *list) {
        use(step.a);
        use(step.b);
      }
    for (const LeafSum& sum : tape.sums) use(sum.a);
    use(tape.o);
    use(tape.w);
    for (const TapePart& part : tape.parts) use(part.value);
  }
  std::vector<int> times;
};

}  // namespace

void fold_products(Tape* tape) {
  const Uses uses(*tape);
  // Removes from a list the product that computes `value`, if nothing else reads it.
  const auto taken = [&](std::vector<Instruction>* list, int value) -> std::optional<Instruction> {
    const auto made = std::find_if(list->begin(), list->end(),
                                   [&](const Instruction& step) { return step.out == value; });
    if (made == list->end() || made->op != TapeOp::kMultiply ||
        uses.times[static_cast<std::size_t>(value)] != 1)
      return std::nullopt;
    const Instruction product = *made;
    list->erase(made);
    return product;
  };
  for (LeafSum& sum : tape->sums)
    if (const auto product = taken(&tape->gradient, sum.a)) sum.a = product->a, sum.b = product->b;
  for (std::size_t n = 0; n < tape->gate.size(); ++n) {
    if (tape->gate[n].op != TapeOp::kExp && tape->gate[n].op != TapeOp::kSigmoidPower) continue;
    if (const auto product = taken(&tape->gate, tape->gate[n].a)) {
      Instruction& function = tape->gate[--n];  // the erased product came before it
      if (function.op == TapeOp::kExp) function.op = TapeOp::kExpTimes;
      function.a = product->a;
      function.b = product->b;
    }
  }
}

namespace {

// Assigns the buffers. The pass over time counts as one step between the two lists.
class Slots {
 public:
  explicit Slots(Tape* tape) : tape_(*tape), last_(tape->values.size(), -1) {
    const int pass = static_cast<int>(tape->gate.size());
    const int end = pass + 1 + static_cast<int>(tape->gradient.size());
    for_each([&](int at, const Instruction& step) { touch(step.a, at), touch(step.b, at); });
    for (const int value : {tape->o, tape->w, tape->d_o, tape->d_w, tape->slope})
      touch(value, pass);
    for (const TapePart& part : tape->parts) touch(part.value, pass), touch(part.gradient, pass);
    for (const LeafSum& sum : tape->sums) touch(sum.a, end), touch(sum.b, end);
    for_each([&](int at, const Instruction& step) {
      if (at > pass && !passed_) give_to_pass();
      const bool in_place = of(step.out).spread == Spread::kCells;
      if (in_place) release_cells(step, at);
      take(step.out);
      if (step.op == TapeOp::kSigmoidPower) take(tape_.slope);
      if (!in_place) release(step.a, at), release(step.b, at);
    });
    if (!passed_) give_to_pass();
  }

 private:
  TapeValue& of(int value) { return tape_.values[static_cast<std::size_t>(value)]; }

  template <class Do>
  void for_each(const Do& work) {
    int at = 0;
    for (const Instruction& step : tape_.gate) work(at++, step);
    ++at;
    for (const Instruction& step : tape_.gradient) work(at++, step);
  }

  void touch(int value, int at) {
    if (value >= 0) last_[static_cast<std::size_t>(value)] = at;
  }
  void take(int value) {
    if (free_.empty()) {
      of(value).slot = tape_.slots++;
    } else {
      of(value).slot = free_.back();
      free_.pop_back();
    }
  }
  void release(int value, int at) {
    if (value < 0 || of(value).slot < 0 || last_[static_cast<std::size_t>(value)] != at) return;
    free_.push_back(of(value).slot);
    last_[static_cast<std::size_t>(value)] = -1;  // a * a is released once
  }
  // An operation on cells may overwrite a cell that it reads, but not a row or a column, which it
  // reads again for later cells.
  void release_cells(const Instruction& step, int at) {
    for (const int value : {step.a, step.b})
      if (value >= 0 && of(value).spread == Spread::kCells) release(value, at);
  }
  void give_to_pass() {
    passed_ = true;
    for (const TapePart& part : tape_.parts) take(part.gradient);
    if (tape_.slope >= 0)
      of(tape_.d_o).slot = of(tape_.slope).slot;  // the pass reads a slope before it writes there
    else if (tape_.d_o >= 0)
      take(tape_.d_o);
    if (tape_.d_w >= 0) take(tape_.d_w);
  }

  Tape& tape_;
  std::vector<int> last_;
  std::vector<int> free_;
  bool passed_ = false;  // the buffers of the pass are assigned
};

}  // namespace

void give_slots(Tape* tape) { Slots{tape}; }

}  // namespace lcsm
