// Builds the tape of a complex memory, or of a memory with a `read`: what the fused scan computes
// inside its loop over time.
#pragma once

#include "lcsm/tape/lowering.h"

namespace lcsm {

struct ComplexGate {
  // The parts of o; then, if there are weights, the parts of w and of r. w multiplies e i and r
  // multiplies s m; they contain e and s if those are static.
  std::vector<Expr> formulas;
  std::size_t parts;  // of each: 1, or 2 if complex
  LoweredParts inside;
  Tape tape;
};
// imaginary_s: a static s is complex.
ComplexGate complex_gate(const Variant& variant, bool imaginary_s);

}  // namespace lcsm
