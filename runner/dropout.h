// Dropout from a generator of one's own, so that its state can be saved and a run continued.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

namespace runner {

// Entries are dropped with probability `share`, the rest multiplied by 1 / (1 - share). Made
// without a generator it drops nothing, as evaluation wants it.
class Dropout {
 public:
  Dropout() = default;
  explicit Dropout(at::Generator generator) : generator_(std::move(generator)) {}

  at::Tensor operator()(const at::Tensor& x, double share);
  // residual + dropped x
  at::Tensor add(const at::Tensor& residual, const at::Tensor& x, double share);

 private:
  at::Tensor mask(const at::Tensor& x, double share);  // 0 or 1 / (1 - share), float32 or better
  bool drops(double share) const { return share > 0 && generator_.defined(); }

  at::Generator generator_;
};

}  // namespace runner
