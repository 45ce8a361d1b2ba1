// The norms of a named system's model, by the words of kNorms (systems/system.h).
#pragma once

#include <ATen/core/Tensor.h>

#include <string_view>

#include "lcsm/layer/layer.h"

namespace runner {

// A norm of residual + x, or of x if the residual is undefined; [B, T, d]. In training, a batch
// norm uses mean and variance of x over B and T, padding included, and moves its "mean" and
// "variance" by a tenth towards them (the variance unbiased). In evaluation, it uses "mean" and
// "variance".
struct NormOf {
  std::string_view kind;
  const lcsm::Weights& weights;
  bool training = false;
  lcsm::ReadBy read_by = lcsm::ReadBy::kAnything;
  lcsm::GpuOrCpu gpu = nullptr;
};
lcsm::NormedSum normed_sum(const NormOf& norm, const at::Tensor& residual, const at::Tensor& x);

at::Tensor normed(std::string_view kind, const lcsm::Weights& weights, const at::Tensor& x,
                  bool training);

}  // namespace runner
