// Splits a gate at the loop over time. A part that does not vary over k, d and the data together is
// computed once, before the loop, and becomes a leaf of the tape inside it.
#pragma once

#include <vector>

#include "lcsm/code/variant.h"
#include "lcsm/tape/tape.h"

namespace lcsm {

// Simplifies a formula with the variant's number in place of tau; null stays null.
Expr with_tau(const Expr& e, const Variant& variant);

struct Leaf {
  Symbol symbol;  // its name in the tape
  Expr formula;   // over the symbols of the gate
  Type type;
};

struct Lowering {
  Expr o, w;  // over the leaves; w = null: e_t alone multiplies the input
  std::vector<Leaf> leaves;
};

// If log_o is null, the gate is `o` as written. `scale` is null unless it is over both axes; the
// symbol `o` in it means the gate, and w = (the leaf `written_e`) * scale. All come from
// `with_tau`. one_row: the memory has one row, so a part that varies over d and the data is
// computed inside the loop too.
Lowering lower(const Expr& o, const Expr& log_o, const Expr& scale, bool one_row = false);

// Lowers formulas that come from `with_tau` and contain only symbols of the gate.
struct LoweredParts {
  std::vector<Expr> parts;  // over the leaves
  std::vector<Leaf> leaves;
};
LoweredParts lower(const std::vector<Expr>& parts);

// Symbols for static stages in these formulas: they vary over k and d, as learned symbols do.
Symbol static_e();
Symbol static_s();
Symbol static_s_imaginary();

// Stands for the e that multiplies the input.
Symbol written_e();

// Stands for the logarithm of a running softmax; it has the axes of the logits.
Symbol running_softmax_log();

// The axes of a block, at one k, over which a leaf varies.
Spread spread_of(const Type& type);

}  // namespace lcsm
