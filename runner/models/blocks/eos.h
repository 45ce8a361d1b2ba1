// The forward pass of a code's layer with parts around it (systems/eos_parts.h).
#pragma once

#include "lcsm/layer/block.h"
#include "runner/systems/eos_parts.h"

namespace runner {

// weights and x have one dtype, but under autocast. The state: "memory" [B, heads, rows, d /
// heads], "log_sum", and the inputs of the convolutions.
lcsm::BlockResult eos_forward(const EosParts& parts, const lcsm::Weights& weights,
                              const at::Tensor& x, const lcsm::BlockContext& context);

}  // namespace runner
