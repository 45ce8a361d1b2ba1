// A configuration's model as a table: every tensor, and how many numbers that makes.
#pragma once

#include <string>

#include "runner/families/model_tensors.h"

namespace runner {

// Tensors that all layers have stand once, as "layers.*.X", counted together.
std::string model_text(const ModelPlan& plan);

}  // namespace runner
