// The residual of a model. An added term waits for the next norm: on a GPU both are one pass.
#pragma once

#include <string>
#include <string_view>

#include "runner/models/skeletons/model.h"

namespace runner {

class Stream {
 public:
  Stream(const Model& model, at::Tensor x);

  void add(at::Tensor update);
  void set(at::Tensor x);
  const at::Tensor& x();

  at::Tensor normed(std::string_view kind, const lcsm::Weights& weights, lcsm::ReadBy read_by,
                    bool training = false);
  // An affine LayerNorm; without weights (scheme B) x / sqrt(mean of x^2 + eps).
  at::Tensor normed(const Parts& parts, const std::string& name, lcsm::ReadBy read_by);

 private:
  void settle();

  const lcsm::GpuOrCpu gpu_;
  at::Tensor x_, update_;
};

}  // namespace runner
