// Splits a gate at the loop over time: what does not vary over k, d and the data together is
// computed once, before the loop, and becomes a leaf of the tape inside it.
#pragma once

#include <vector>

#include "lcsm/code/variant.h"
#include "lcsm/tape/tape.h"

namespace lcsm {

struct Leaf {
  Symbol symbol;  // its name in the tape
  Expr formula;   // over the symbols of the gate
  Type type;
};

struct Lowering {
  Expr o, w;  // of the leaves; w = null: e_t alone multiplies the input
  std::vector<Leaf> leaves;
};

// log_o null: the gate `o` as written. `scale` null: no scale over both axes; else `o` in it is the
// gate, and w = (the leaf `written_e`) * scale. tau must already be replaced by its number.
// one_row: of a memory with one row, where each cell has its own number over d and the data. These
// are computed inside the loop, too.
Lowering lower(const Expr& o, const Expr& log_o, const Expr& scale, bool one_row = false);

// Lowers simplified formulas that contain only symbols of the gate; tau must already be replaced by
// its number.
struct LoweredParts {
  std::vector<Expr> parts;  // of the leaves
  std::vector<Leaf> leaves;
};
LoweredParts lower(const std::vector<Expr>& parts);

// Symbols for static stages in these formulas: they vary over k and d, as learned symbols do.
Symbol static_e();
Symbol static_s();
Symbol static_s_imaginary();

// Stands for e where it multiplies the input.
Symbol written_e();

// Stands for the logarithm of a running softmax; it has the axes of the logits.
Symbol running_softmax_log();

// Over what a leaf varies in a block at one k.
Spread spread_of(const Type& type);

}  // namespace lcsm
