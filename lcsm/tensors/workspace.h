// Temporary memory for launches on a GPU.
#pragma once

#include <ATen/ops/empty.h>

#include <cstdint>

#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/tensors/operation.h"

namespace lcsm {

// LibTorch's allocator orders memory by stream, so it may be freed as soon as the calls are queued.
class Workspace {
 public:
  explicit Workspace(const at::Tensor& beside) : options_(beside.options().dtype(at::kByte)) {}

  Allocate allocate() {
    return [this](const char*, std::size_t bytes) {
      pieces_.push_back(at::empty({static_cast<std::int64_t>(bytes)}, options_));
      return pieces_.back().data_ptr();
    };
  }

 private:
  const at::TensorOptions options_;
  Tensors pieces_;
};

// The tensor, contiguous and at a multiple of 16 bytes: views may begin anywhere, and kernels read
// several numbers at once. An undefined one stays so.
inline at::Tensor aligned(const at::Tensor& tensor) {
  if (!tensor.defined()) return tensor;
  const at::Tensor whole = tensor.contiguous();
  return reinterpret_cast<std::uintptr_t>(whole.const_data_ptr()) % 16 == 0 ? whole : whole.clone();
}

}  // namespace lcsm
