// Counter-based dropout: the mask of an element is a function of the seed, the step and the
// element's position, so there is no generator state to save, and backward recomputes the mask.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <utility>

namespace lcsm {
class Gpu;
}

namespace runner {

class Dropout {
 public:
  Dropout() = default;  // drops nothing, for evaluation
  Dropout(std::uint64_t seed, std::uint64_t step) : seed_(seed), step_(step), drops_(true) {}
  // On a GPU, the kernel reads `step`, [] int64, from device memory, so that a captured step can be
  // replayed.
  Dropout(std::uint64_t seed, std::shared_ptr<lcsm::Gpu> gpu, at::Tensor step)
      : seed_(seed), gpu_(std::move(gpu)), step_there_(std::move(step)), drops_(true) {}

  // x / (1 - share) for kept elements, else 0; shares are rounded to 2^-16. Each call within a step
  // draws a new mask. float32, float64 or bfloat16.
  at::Tensor operator()(const at::Tensor& x, double share);

  // Drops x [B, T, d] with one mask of B x d for all steps.
  at::Tensor over_steps(const at::Tensor& x, double share);

  // Drops whole examples of x [B, T, d].
  at::Tensor of_examples(const at::Tensor& x, double share);

  bool drops() const { return drops_; }  // false: in an evaluation

 private:
  std::uint64_t seed_ = 0, step_ = 0;
  std::shared_ptr<lcsm::Gpu> gpu_;
  at::Tensor step_there_;
  std::uint32_t call_ = 0;
  bool drops_ = false;
};

}  // namespace runner
