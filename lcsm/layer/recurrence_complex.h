// Computes variants with a complex memory, or a memory read by weights, by the complex scan.
#pragma once

#include <functional>

#include "lcsm/layer/compiled.h"
#include "lcsm/layer/recurrence.h"

namespace lcsm {

// Evaluates the formulas of a complex variant as tensors.
struct ComplexFormulas {
  // Shaped for the scan; static ones float64.
  std::function<at::Tensor(const CompiledLeaf& leaf)> leaf;
  std::function<at::Tensor(const Expr& cells)> cells;  // of a static formula: float64, [K, D]
};

RecurrenceResult recurrence_complex(const Compiled& compiled, const RecurrenceInputs& inputs,
                                    const ComplexFormulas& formulas, const GpuOrCpu& gpu);

}  // namespace lcsm
