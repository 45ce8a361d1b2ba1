// Prints the tensors of a configuration's model and its number of parameters.
#pragma once

#include <string>

#include "runner/models/families/model_tensors.h"

namespace runner {

// Tensors of all layers are listed once, as "layers.*.X", with their total.
std::string model_text(const ModelPlan& plan);

}  // namespace runner
