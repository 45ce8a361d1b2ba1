// Builds the tape of a variant: the part that the fused scan computes inside its loop over time.
#pragma once

#include "lcsm/tape/lowering.h"

namespace lcsm {

// The gate, running softmax included, and its logarithm; null if it has no logarithm.
struct WholeGate {
  Expr o, log;
};
WholeGate whole_gate(const Variant& variant);

// running_softmax_log with the axes of the variant's logits.
Symbol running_softmax_log(const Variant& variant);

// The factor that a variant's scale multiplies.
enum class ScalePlace : std::uint8_t {
  kNowhere,  // there is none
  kInput,    // i, before the loop
  kWrite,    // e, before the loop
  kInside,   // over both axes: in the tape
};
ScalePlace scale_place(const Variant& variant);

// The scale as a real formula; null where there is none. It may use o, the gate without its
// rotation.
Expr real_scale(const Variant& variant);

struct ScanGate {
  Lowering inside;
  Tape tape;  // its leaves: the leaves of `inside`, and e if there is a w
};
// one_row: the memory has one row, so a part that varies over d and the data is computed inside the
// loop too.
ScanGate scan_gate(const Variant& variant, bool one_row = false);

}  // namespace lcsm
