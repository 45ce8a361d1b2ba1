// The optimizers, one row each: the keys it reads and its state per parameter. The update is in
// train/trainer/optimizer.cpp, on a GPU in lcsm/cuda/step/adam_cuda.
#pragma once

#include <array>
#include <string_view>

#include "lcsm/base/row_names.h"

namespace runner {

struct OptimizerRow {
  std::string_view name;
  std::string_view help;
  std::string_view keys;   // of group optim, separated by blanks, without keys of all optimizers
  std::string_view state;  // tensors of each parameter's shape; in checkpoints "mean.NAME"
  bool on_gpu = false;     // a GPU computes its update
};

inline constexpr std::array kOptimizerRows = {
    OptimizerRow{"adamw", "Adam with decoupled weight decay", "optim.beta1 optim.beta2 optim.eps",
                 "mean square", true},
    OptimizerRow{"adam", "weight decay is added to the gradient",
                 "optim.beta1 optim.beta2 optim.eps", "mean square", true},
};

}  // namespace runner
