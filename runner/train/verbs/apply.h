// `lcsm-train apply`: applies one layer to tensors of a file, for checks with NumPy.
#pragma once

#include "lcsm/code/code.h"
#include "lcsm/layer/recurrence.h"
#include "lcsm/tensors/safetensors.h"

namespace runner {

// Reads "input" [B, T, D], "weight.NAME", and if present "grad_output" [B, T, D], "state" and
// "state.log_sum"; sizes come from the tensors. Writes "output", "final_state" (and
// "final_state.log_sum") and, with "grad_output", "grad.input", "grad.weight.NAME", "grad.state".
// Throws std::invalid_argument on a wrong name, shape or dtype.
lcsm::SafeTensors apply_layer(const lcsm::Code& code, const lcsm::Catalogue& catalogue,
                              const lcsm::SafeTensors& file,
                              lcsm::Backend backend = lcsm::Backend::kMachine);

}  // namespace runner
