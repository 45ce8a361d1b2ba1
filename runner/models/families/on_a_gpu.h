// Refuses models that the GPU has no machine for.
#pragma once

#include "runner/models/families/model_tensors.h"

namespace runner {

// Throws std::invalid_argument: who, expected, got.
void check_for_gpu(const ModelPlan& plan);

}  // namespace runner
