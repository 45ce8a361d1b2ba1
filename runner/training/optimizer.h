// AdamW and Adam by LibTorch's fused kernels.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runner/config/run_config.h"
#include "runner/models/model.h"

namespace runner {

class Optimizer {
 public:
  // Of the parameters that are trained, which are changed in place.
  Optimizer(const RunConfig& config, const std::vector<ModelParameter>& parameters);

  // A step: clear, backward once or more often, collect, step.
  void clear_gradients();
  // Returns the norm of all gradients; a `clip` above 0 that is less is what they are scaled to.
  double collect_gradients(double clip);
  void step(double rate);

  // "mean.NAME" and "square.NAME" of every parameter: what the steps so far left.
  std::map<std::string, at::Tensor> state() const;
  // Throws std::invalid_argument when a tensor is missing or of another shape.
  void load_state(const std::map<std::string, at::Tensor>& state, std::int64_t steps);

 private:
  // Parameters that decay alike.
  struct Group {
    double decay = 0;
    std::vector<std::string> names;
    std::vector<at::Tensor> values, gradients, means, squares, steps;
  };

  Group groups_[2];  // that decay, that do not
  bool decoupled_;   // AdamW
  double beta1_, beta2_, eps_;
};

}  // namespace runner
