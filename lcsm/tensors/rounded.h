// Weights in bfloat16, for products under autocast. On a GPU autocast launches a kernel for each
// weight, and one for its gradient.
#pragma once

#include "lcsm/tensors/operation.h"

namespace lcsm {

// Rounds all weights at once, and backward their gradients to float32. Until it is destroyed,
// affine() in this thread reads the rounded ones.
class RoundedWeights {
 public:
  explicit RoundedWeights(const Tensors& weights);
  ~RoundedWeights();
  RoundedWeights(const RoundedWeights&) = delete;
  RoundedWeights& operator=(const RoundedWeights&) = delete;
};

// The weight as rounded by this thread's RoundedWeights; itself if it is not among them.
at::Tensor rounded(const at::Tensor& weight);

}  // namespace lcsm
