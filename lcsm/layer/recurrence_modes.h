// Computes variants whose e, o and s are static, as a sum of modes.
#pragma once

#include <functional>

#include "lcsm/layer/compiled.h"
#include "lcsm/layer/recurrence.h"

namespace lcsm {

// `cells` evaluates a static formula: float64, [K, D].
RecurrenceResult recurrence_modes(const Compiled& compiled, const RecurrenceInputs& inputs,
                                  const std::function<at::Tensor(const Expr&)>& cells,
                                  const GpuOrCpu& gpu);

}  // namespace lcsm
