// Dropout by counting: what a place of a tensor is multiplied by follows from the seed, the step
// and the place, so there is no generator to save, and backward makes the mask again.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace runner {

class Dropout {
 public:
  Dropout() = default;  // drops nothing, as evaluation wants it
  Dropout(std::uint64_t seed, std::uint64_t step) : seed_(seed), step_(step), drops_(true) {}

  // x / (1 - share) where it is kept, else 0; shares are rounded to 2^-16. Each call of a step
  // draws anew. float32, float64 or bfloat16.
  at::Tensor operator()(const at::Tensor& x, double share);

  // residual + dropped x
  at::Tensor add(const at::Tensor& residual, const at::Tensor& x, double share);

 private:
  std::uint64_t seed_ = 0, step_ = 0;
  std::uint32_t call_ = 0;
  bool drops_ = false;
};

}  // namespace runner
