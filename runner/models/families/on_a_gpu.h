// Refuses models and optimizers that no GPU computes.
#pragma once

#include "runner/config/keys/optimizer_rows.h"
#include "runner/models/families/model_tensors.h"

namespace runner {

// Throws std::invalid_argument: who, expected, got.
void check_for_gpu(const ModelPlan& plan);  // also its optimizer
void check_for_gpu(const OptimizerRow& optimizer);

}  // namespace runner
