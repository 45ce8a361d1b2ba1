#include "lcsm/tape/tape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "lcsm/formula/logarithm.h"
#include "lcsm/tape/tape_slots.h"
#include "lcsm/tape/tape_values.h"

namespace lcsm {
namespace {

using F = Function;
constexpr std::pair<F, TapeOp> kOneOperation[] = {
    {F::kExp, TapeOp::kExp},   {F::kLog, TapeOp::kLog},   {F::kTanh, TapeOp::kTanh},
    {F::kElu, TapeOp::kElu},   {F::kSqrt, TapeOp::kSqrt}, {F::kAbs, TapeOp::kAbs},
    {F::kStep, TapeOp::kStep}, {F::kCos, TapeOp::kCos},   {F::kSin, TapeOp::kSin}};

class TapeBuilder : public TapeValues {
 public:
  explicit TapeBuilder(const std::vector<TapeLeaf>& leaves) : TapeValues(leaves), leaves_(leaves) {}

  // `bound` gives x and y of a function's derivative rule.
  int value(const Expr& e, const std::map<Symbol, int>& bound = {}) {
    const auto arg = [&](std::size_t n) { return value(e->args[n], bound); };
    switch (e->op) {
      case Op::kNumber:
        return number(e->number);
      case Op::kSymbol: {
        const auto found = bound.find(e->symbol);
        return found != bound.end() ? found->second : leaf(e->symbol);
      }
      case Op::kNegate:
        if (const auto fixed = constant(e)) return number(*fixed);
        return recorded(e, {arg(0)}, bound);
      case Op::kAdd:
      case Op::kSubtract:
      case Op::kMultiply:
      case Op::kDivide:
      case Op::kPower:
        return recorded(e, {arg(0), arg(1)}, bound);
      case Op::kCall:
        break;
    }
    std::vector<int> args;
    for (std::size_t n = 0; n < e->args.size(); ++n) args.push_back(arg(n));
    return recorded(e, args, bound);
  }

  // Propagates the gradients of some values back to everything that they depend on.
  void reverse(std::map<int, int> d) {
    for (auto at = history_.rbegin(); at != history_.rend(); ++at) {
      const auto found = d.find(at->result);
      if (found == d.end()) continue;
      const int g = found->second;
      for (std::size_t n = 0; n < at->args.size(); ++n) {
        if (!learns(at->args[n])) continue;
        const int more = through(*at, n, g);
        const auto [sum, first] = d.try_emplace(at->args[n], more);
        if (!first) sum->second = emit(TapeOp::kAdd, sum->second, more);
      }
    }
    for (std::size_t n = 0; n < leaves_.size(); ++n)
      if (const auto found = d.find(static_cast<int>(n)); found != d.end() && leaves_[n].learns)
        tape.sums.push_back({static_cast<int>(n), found->second, -1});
  }

 private:
  // A node of the formula, with the values of its arguments.
  struct Step {
    const Node* node;
    std::vector<int> args;
    int result;
  };

  int recorded(const Expr& e, const std::vector<int>& args, const std::map<Symbol, int>& bound) {
    const int result = e->op == Op::kCall    ? called(e->function, args)
                       : e->op == Op::kPower ? powered(args[0], args[1], constant(e->args[1]))
                                             : arithmetic(e->op, args);
    // Derivative rules are not differentiated again. A result that is an argument, as of x * 1, is
    // no step.
    const bool computed = of(result).leaf < 0 && !is_number(result) &&
                          std::find(args.begin(), args.end(), result) == args.end();
    if (bound.empty() && computed && !learns_.contains(result)) {
      history_.push_back({e.get(), args, result});
      // If the rule is 0 nothing propagates, not even 0 times infinity.
      const bool flat = e->op == Op::kCall && row_of(e->function).derivative[0] == "0";
      learns_[result] =
          !flat && std::any_of(args.begin(), args.end(), [this](int arg) { return learns(arg); });
    }
    return result;
  }

  bool learns(int value) const {
    const int leaf = of(value).leaf;
    if (leaf >= 0) return leaves_[static_cast<std::size_t>(leaf)].learns;
    const auto found = learns_.find(value);
    return found != learns_.end() && found->second;
  }

  int arithmetic(Op op, const std::vector<int>& args) {
    switch (op) {
      case Op::kNegate:
        return emit(TapeOp::kNegate, args[0]);
      case Op::kAdd:
        return emit(TapeOp::kAdd, args[0], args[1]);
      case Op::kSubtract:
        return emit(TapeOp::kSubtract, args[0], args[1]);
      case Op::kMultiply:
        return emit(TapeOp::kMultiply, args[0], args[1]);
      default:
        return emit(TapeOp::kDivide, args[0], args[1]);
    }
  }

  // Integer exponents by products, which also work for a base of 0 or less; others by exp and log.
  int powered(int base, int exponent, const std::optional<double>& fixed) {
    constexpr double kMostProducts = 1024;
    if (fixed && *fixed == std::floor(*fixed) && std::abs(*fixed) <= kMostProducts) {
      int result = number(1), square = base;
      for (int n = static_cast<int>(std::abs(*fixed)); n > 0; n /= 2) {
        if (n % 2 == 1) result = emit(TapeOp::kMultiply, result, square);
        if (n > 1) square = emit(TapeOp::kMultiply, square, square);
      }
      return *fixed < 0 ? emit(TapeOp::kDivide, number(1), result) : result;
    }
    if (fixed && *fixed == 0.5) return emit(TapeOp::kSqrt, base);
    int log = emit(TapeOp::kLog, base);
    if (!fixed) log = emit(TapeOp::kMax, log, number(std::numeric_limits<float>::lowest()));  // 0^0
    return emit(TapeOp::kExp, emit(TapeOp::kMultiply, exponent, log));
  }

  int called(Function f, const std::vector<int>& args) {
    const int x = args[0];
    switch (f) {
      case Function::kSigmoid:
        return emit(TapeOp::kSigmoidOf, x, emit(TapeOp::kExpDown, x));
      case Function::kSoftplus:
        return emit(TapeOp::kSoftplusOf, x, emit(TapeOp::kExpDown, x));
      case Function::kRelu:
        return emit(TapeOp::kMax, x, number(0));
      case Function::kSilu:
        return emit(TapeOp::kMultiply, x, called(Function::kSigmoid, args));
      case Function::kMin:
        return emit(TapeOp::kMin, x, args[1]);
      case Function::kMax:
        return emit(TapeOp::kMax, x, args[1]);
      default:
        break;
    }
    for (const auto& [function, op] : kOneOperation)
      if (function == f) return emit(op, x);
    throw std::logic_error("tape: '" + std::string(row_of(f).name) + "' has no value at one step");
  }

  // g times the derivative of a step by its argument n.
  int through(const Step& step, std::size_t n, int g) {
    const auto times = [&](int factor) { return emit(TapeOp::kMultiply, g, factor); };
    const auto minus = [&](int a) { return emit(TapeOp::kNegate, a); };
    switch (step.node->op) {
      case Op::kAdd:
        return g;
      case Op::kNegate:
        return minus(g);
      case Op::kSubtract:
        return n == 0 ? g : minus(g);
      case Op::kMultiply:
        return times(step.args[1 - n]);
      case Op::kDivide: {
        const int share = emit(TapeOp::kDivide, g, step.args[1]);
        return n == 0 ? share : minus(emit(TapeOp::kMultiply, share, step.result));
      }
      case Op::kPower:
        return through_power(step, n, g);
      default:
        break;
    }
    const std::string_view rule = row_of(step.node->function).derivative[n];
    const bool steep = step.node->function == F::kSqrt || step.node->function == F::kLog;
    const int x = steep ? not_zero(step.args[0]) : step.args[0];
    const int y = step.args[step.args.size() - 1];
    return times(value(parse_formula(rule, FormulaUse::kAny),
                       {{parse_symbol("x"), x}, {parse_symbol("y"), y}}));
  }

  // a, or 1 where a = 0. The slope of a root or logarithm is finite there, and its product with 0
  // is 0: with the slope of a = relu(x), or the gradient of a gate that rounds to 0.
  int not_zero(int a) {
    return emit(TapeOp::kAdd, a, emit(TapeOp::kSubtract, number(1), emit(TapeOp::kStep, a)));
  }

  // Derivatives of a^b: b a^(b-1) by a, a^b log a by b.
  int through_power(const Step& step, std::size_t n, int g) {
    const auto fixed = constant(step.node->args[1]);
    const bool root = !fixed || *fixed != std::floor(*fixed);
    const int a = root ? not_zero(step.args[0]) : step.args[0], b = step.args[1];
    if (n == 1)
      return emit(TapeOp::kMultiply, g,
                  emit(TapeOp::kMultiply, step.result, emit(TapeOp::kLog, a)));
    const int less = fixed ? powered(a, number(*fixed - 1), *fixed - 1)
                           : powered(a, emit(TapeOp::kSubtract, b, number(1)), std::nullopt);
    return emit(TapeOp::kMultiply, g, emit(TapeOp::kMultiply, b, less));
  }

  const std::vector<TapeLeaf>& leaves_;
  std::map<int, bool> learns_;  // of each step's result
  std::vector<Step> history_;
};

std::optional<TapeFactors> factors_of(const Tape& tape) {
  if (!tape.gradient.empty() || tape.sums.size() != 2) return std::nullopt;
  // Multiplying d_o by this value gives the gradient of the leaf.
  const auto by = [&](const LeafSum& sum) { return sum.a == tape.d_o ? sum.b : sum.a; };
  const auto spread = [&](const LeafSum& sum) {
    return tape.values[static_cast<std::size_t>(sum.leaf)].spread;
  };
  LeafSum rows = tape.sums[0], channels = tape.sums[1];
  if (rows.b < 0 || channels.b < 0) return std::nullopt;
  if (spread(rows) == Spread::kChannels) std::swap(rows, channels);
  if (!over_steps(spread(rows)) || spread(channels) != Spread::kChannels) return std::nullopt;
  if (by(rows) != channels.leaf || by(channels) != rows.leaf) return std::nullopt;
  return TapeFactors{rows.leaf, channels.leaf};
}

}  // namespace

Tape make_tape(const Expr& o, const Expr& w, const std::vector<TapeLeaf>& leaves) {
  TapeBuilder builder(leaves);
  // A power of a sigmoid that nothing else reads is one instruction.
  const auto power = is_call(o, Function::kExp) && !w ? sigmoid_power(o->args[0]) : std::nullopt;
  const int x = power && power->c < 0 ? builder.value(power->x) : -1;
  const bool whole = x >= 0 && builder.is_cells(x);
  const int gate = whole ? builder.sigmoid_power(x, power->c) : builder.value(o);
  const int write = w ? builder.value(w) : -1;
  builder.tape.o = gate;
  builder.tape.w = write;
  builder.list = &builder.tape.gradient;
  builder.tape.d_o = builder.given(Spread::kCells);
  // The pass over time gives d log o at no extra cost, which saves the product of d_o and o.
  builder.tape.by_log = is_call(o, Function::kExp) && write != gate;
  const int from = whole ? x : builder.tape.by_log ? builder.value(o->args[0]) : gate;
  std::map<int, int> d{{from, builder.tape.d_o}};
  if (w) {
    builder.tape.d_w = builder.given(Spread::kCells);
    if (write == gate)
      d[gate] = builder.emit(TapeOp::kAdd, builder.tape.d_o, builder.tape.d_w);
    else
      d[write] = builder.tape.d_w;
  }
  builder.reverse(std::move(d));
  fold_products(&builder.tape);
  give_slots(&builder.tape);
  builder.tape.factors = factors_of(builder.tape);
  return std::move(builder.tape);
}

Tape make_tape(const std::vector<Expr>& parts, const std::vector<TapeLeaf>& leaves) {
  TapeBuilder builder(leaves);
  Tape& tape = builder.tape;
  tape.is_static = true;
  tape.exact = true;
  for (const Expr& e : parts) {
    tape.parts.push_back({builder.value(e), -1});
    tape.is_static = tape.is_static && !builder.over_steps(tape.parts.back().value);
  }
  builder.list = &tape.gradient;
  std::map<int, int> d;
  for (TapePart& part : tape.parts) {
    part.gradient = builder.given(tape.is_static ? Spread::kChannels : Spread::kCells);
    const auto [sum, first] = d.try_emplace(part.value, part.gradient);
    if (!first) sum->second = builder.emit(TapeOp::kAdd, sum->second, part.gradient);
  }
  builder.reverse(std::move(d));
  fold_products(&tape);
  give_slots(&tape);
  return std::move(tape);
}

}  // namespace lcsm
