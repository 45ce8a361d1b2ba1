// `lcsm-train apply` for a recurrence without a layer around it.
#pragma once

#include <string>
#include <vector>

#include "lcsm/layer/block.h"
#include "lcsm/tensors/safetensors.h"
#include "runner/systems/inner.h"

namespace runner {

// The inputs of the row; with grad_output also the gradient of each.
lcsm::SafeTensors apply_inner(const InnerRow& row, const std::vector<std::string>& settings,
                              const lcsm::SafeTensors& file, lcsm::Backend backend);

}  // namespace runner
