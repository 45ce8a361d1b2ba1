// Moves a gate that rotates over k out of the loop: e and s are rotated by the accumulated angle,
// with twice as many features, and the memory is not rotated.
#pragma once

#include <ATen/core/Tensor.h>

namespace lcsm {

class Rotation {
 public:
  Rotation() = default;
  // angle: of each step, float64, broadcasts to [B, T, K]; like: e or s.
  Rotation(const at::Tensor& angle, const at::Tensor& like);

  at::Tensor of(const at::Tensor& x) const;            // e or s: [B, T, K] to [B, T, 2 K]
  static at::Tensor entered(const at::Tensor& first);  // the memory before the first step
  at::Tensor left(const at::Tensor& last) const;       // the memory after the last step

 private:
  at::Tensor cos_, sin_;  // [1 or B, T, K]
};

}  // namespace lcsm
