// A gate as a short list of vector operations, and its gradient as another, both built from
// formulas.
//
// A machine runs a tape over a block of memory cells: some steps (rows) of some channels (columns)
// at one k. A value is computed only over the axes over which it varies.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lcsm/formula/formula.h"

namespace lcsm {

// The axes of a block over which a value varies.
enum class Spread : std::uint8_t { kNumber, kSteps, kChannels, kCells };
Spread both(Spread a, Spread b);
constexpr bool over_steps(Spread spread) {
  return spread == Spread::kSteps || spread == Spread::kCells;
}

enum class TapeOp : std::uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kMin,
  kMax,
  kExpTimes,      // exp(a b)
  kSigmoidOf,     // of a, with b = exp(-|a|)
  kSoftplusOf,    // of a, with b = exp(-|a|)
  kSigmoidPower,  // sigmoid(-a b)^(-c), which is exp(c softplus(a b)); computes its slope too
  kNegate,
  kAbs,
  kStep,
  kSqrt,
  kTanh,
  kElu,
  kLog,
  kExp,
  kExpDown,  // exp(-|a|)
  kCos,
  kSin,
};
inline bool takes_two(TapeOp op) { return op <= TapeOp::kSigmoidPower; }

struct Instruction {
  TapeOp op;
  int a = -1, b = -1;  // values; b only if the operation has two operands
  int out = -1;
  int c = -1;  // a number
};

struct TapeValue {
  Spread spread = Spread::kNumber;
  int leaf = -1;      // the index of the leaf, if it is one
  double number = 0;  // of a constant
  int slot = -1;      // of a computed value: the buffer that holds it
};

struct TapeLeaf {
  Symbol symbol;
  Spread spread = Spread::kNumber;
  bool learns = true;  // a gradient is wanted
};

// The gradient of a leaf: a * b summed over the axes over which the leaf does not vary; b = -1: a
// alone.
struct LeafSum {
  int leaf = -1, a = -1, b = -1;
};

// The two leaves of a gate that is a function of their product: `rows` is over cells or over steps,
// `channels` over channels. The gradient of each is d_o times the other.
struct TapeFactors {
  int rows = -1, channels = -1;
};

// A value that a tape computes for a pass over time, and the gradient that the pass returns.
struct TapePart {
  int value = -1, gradient = -1;
};

struct Tape {
  std::vector<TapeValue> values;
  std::vector<Instruction> gate;      // o and w, or the parts, from the leaves
  std::vector<Instruction> gradient;  // the inputs of `sums`, from those values, d_o and d_w
  std::vector<LeafSum> sums;
  int o = -1, w = -1;      // values; w = -1: the tape computes o alone
  int d_o = -1, d_w = -1;  // cells, set between the two lists
  bool by_log = false;     // o is an exponential, and d_o the gradient of its logarithm
  int slope = -1;          // then d_o is multiplied by this: c sigmoid(a b) of a sigmoid's power
  std::vector<TapePart> parts;  // in place of o and w
  std::optional<TapeFactors> factors;
  bool exact = false;      // leaves over data stay float32 in bfloat16 models: one is a gate or a
                           // part of a gate, which bfloat16 could not tell from 1
  bool is_static = false;  // no part varies over the steps; their gradients are sums over the
                           // steps, per channel
  int slots = 0;
};

// Symbols of o and w are leaves; w null = none. Supports the functions of functions.h that have a
// value per step.
Tape make_tape(const Expr& o, const Expr& w, const std::vector<TapeLeaf>& leaves);

// Makes a tape of any number of formulas, each with a gradient of its own.
Tape make_tape(const std::vector<Expr>& parts, const std::vector<TapeLeaf>& leaves);

}  // namespace lcsm
