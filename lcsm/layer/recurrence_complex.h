// The recurrence of a variant whose memory is complex, or read by weights, by the complex scan; gpu
// null: on the CPU.
#pragma once

#include <functional>
#include <memory>

#include "lcsm/kernel/gpu.h"
#include "lcsm/layer/recurrence.h"
#include "lcsm/tape/lowering.h"

namespace lcsm {

// How its formulas become tensors.
struct ComplexFormulas {
  std::function<at::Tensor(const Leaf& leaf)> leaf;    // shaped for the scan; static ones float64
  std::function<at::Tensor(const Expr& cells)> cells;  // of a static formula: float64, [K, D]
};

RecurrenceResult recurrence_complex(const Variant& variant, const RecurrenceInputs& inputs,
                                    const ComplexFormulas& formulas,
                                    const std::shared_ptr<Gpu>& gpu);

}  // namespace lcsm
