// Adam on a GPU: an optimizer's numbers in flat buffers, so that norm, clipping, the check of the
// step and the update are three launches.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/cuda/step/adam_calls.h"
#include "runner/train/trainer/optimizer.h"

namespace runner {

class FlatAdam {
 public:
  // The groups' values and states, float32, become views of the buffers.
  FlatAdam(std::shared_ptr<lcsm::Gpu> gpu, const OptimizerSettings& settings,
           std::vector<ParameterGroup>* groups);

  // Reads the gradients as backward left them; a missing gradient counts as 0.
  void queue(const std::vector<ParameterGroup>& groups, const DeviceStep& step);
  void set_steps(std::int64_t steps) { steps_.fill_(steps); }

 private:
  const std::shared_ptr<lcsm::Gpu> gpu_;
  lcsm::AdamWork work_;
  at::Tensor values_, means_, squares_, gradients_, steps_;
  std::vector<at::Tensor> parts_;  // of gradients_, for each value
};

}  // namespace runner
