// The recurrence of a variant whose memory is complex, or read by weights, by the complex scan.
#pragma once

#include <functional>

#include "lcsm/layer/recurrence.h"
#include "lcsm/tape/lowering.h"

namespace lcsm {

// How its formulas become tensors.
struct ComplexFormulas {
  Expr size;  // |o|; tau already replaced by its number, here and in the others
  std::function<at::Tensor(const Leaf& leaf)> leaf;    // shaped for the scan; static ones float64
  std::function<at::Tensor(const Expr& cells)> cells;  // of a static formula: float64, [K, D]
  std::function<Expr(const Expr&)> plain;              // puts in the number for tau
};

RecurrenceResult recurrence_complex(const Variant& variant, const RecurrenceInputs& inputs,
                                    const ComplexFormulas& formulas);

}  // namespace lcsm
