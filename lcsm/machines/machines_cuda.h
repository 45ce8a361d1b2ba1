// Selects the machines of a GPU for this thread's recurrences.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <string>

#include "lcsm/kernel/gpu.h"

namespace lcsm {

// While it lives, this thread's recurrences run on the machines of a GPU, with tensors in its
// memory; null: on the CPU's.
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

// A tensor that depends on no input. On a GPU it is made once per name, so that no step copies it.
at::Tensor constant(const std::string& name, const std::function<at::Tensor()>& make);

}  // namespace lcsm
