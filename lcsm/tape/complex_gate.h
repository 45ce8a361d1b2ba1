// Builds the tape of a complex memory, or of one read by weights: the part that the fused scan
// computes inside its loop over time.
#pragma once

#include "lcsm/tape/lowering.h"

namespace lcsm {

struct ComplexGate {
  // The parts of o, then, where there are weights, of w and r: what multiplies e i and s m, with
  // static e and s in it.
  std::vector<Expr> formulas;
  std::size_t parts;  // of each
  LoweredParts inside;
  Tape tape;
};
// imaginary_s: a static s is complex.
ComplexGate complex_gate(const Variant& variant, bool imaginary_s);

}  // namespace lcsm
