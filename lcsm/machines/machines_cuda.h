// When the machines of a GPU are used.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <string>

#include "lcsm/kernel/gpu.h"

namespace lcsm {

// Recurrences of this thread are computed by the machines of a GPU while it lives, with tensors in
// its memory; null: by those of the CPU.
class ComputeOn {
 public:
  explicit ComputeOn(std::shared_ptr<Gpu> gpu);
  ~ComputeOn();
  ComputeOn(const ComputeOn&) = delete;
  ComputeOn& operator=(const ComputeOn&) = delete;

 private:
  const std::shared_ptr<Gpu> before_;
};
const std::shared_ptr<Gpu>& computing_gpu();

// What no input changes: on a GPU it is made once for each name, so that no step copies it there.
at::Tensor constant(const std::string& name, const std::function<at::Tensor()>& make);

}  // namespace lcsm
