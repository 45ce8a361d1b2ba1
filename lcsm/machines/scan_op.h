// The scan machines: m_t = o_t (.) m_{t-1} + w_t (.) i_t, y_t[d] = sum_k s_t[k,d] m_t[k,d], where a
// tape computes o, and w unless it is e. complex_scan_machine is for a memory that is complex, or
// has weights in its write and read.
#pragma once

#include <memory>

#include "lcsm/tape/tape.h"
#include "lcsm/tensors/operation.h"

namespace lcsm {

struct ScanInputs {
  at::Tensor i;     // [B, T, D]
  at::Tensor e, s;  // [B, T, K], or static [K, D]; e undefined if the tape has a w
  at::Tensor m;     // [B, K, D]; undefined = 0
  std::int64_t K = 0;
  int scaled_by = -1;  // the leaf [B, T, D] that multiplies i; -1: none, as on a GPU
  // In the order of the tape's leaves: [B, T], [B, T, K], [B, T, D] over data, otherwise [], [K],
  // [D], [K, D].
  Tensors leaves;
};

// Which optional inputs an operation has. The order is i, s, e, leaves, m.
struct ScanKind {
  bool s = false, e = false, m = false;
};
ScanKind scan_kind(const ScanInputs& in);
ScanInputs scan_inputs(const Tensors& inputs, const ScanKind& has);

// y and the last m; float32 or float64, under autograd.
Tensors scan_machine(std::shared_ptr<const Tape> tape, const ScanInputs& inputs);

// The scan of cpu/scan/complex_scan_cpu.h. e and s are data, or undefined = 1; m is [B, parts K,
// D]. exact_o: the parts of a static o before they are rounded for the tape, [K, D] float64, which
// keep phases exact over any number of steps; empty otherwise.
Tensors complex_scan_machine(std::shared_ptr<const Tape> tape, const ScanInputs& inputs,
                             std::int64_t parts, const Tensors& exact_o);

}  // namespace lcsm
