// An operation on tensors with a gradient of its own. All machines are built from it.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <vector>

namespace lcsm {

using Tensors = std::vector<at::Tensor>;

struct Operation : torch::CustomClassHolder {
  // All inputs and outputs are defined tensors; outputs beyond `results` are stored for backward.
  virtual Tensors forward(const Tensors& inputs) const = 0;
  // d_outputs of the results, undefined = zero; returns the gradient of each input, undefined =
  // zero.
  virtual Tensors backward(const Tensors& inputs, const Tensors& outputs,
                           const Tensors& d_outputs) const = 0;
  std::size_t results = 1;
  bool keeps_inputs = true;  // false: backward does not read inputs and gets undefined tensors
  bool autocasts = true;     // false: forward ignores autocast, as backward does
};

// Data of a contiguous tensor from index b of its first axis on; null if it is undefined. Not
// const, since kernels use one plain struct for inputs and outputs.
template <class T>
T* data(const at::Tensor& tensor, std::int64_t b = 0) {
  return tensor.defined()
             ? const_cast<T*>(tensor.const_data_ptr<T>()) + (b == 0 ? 0 : b * tensor.stride(0))
             : nullptr;
}

// Data of any type; null if the tensor is undefined.
inline void* numbers(const at::Tensor& tensor) {
  return tensor.defined() ? const_cast<void*>(tensor.const_data_ptr()) : nullptr;
}

// True if an operation on these inputs will be asked for gradients.
bool learns(const Tensors& inputs);

// The results, under autograd. A second derivative throws when it is computed.
Tensors differentiable(c10::intrusive_ptr<Operation> operation, const Tensors& inputs);

// The one output of an operation, not computed yet.
struct Pending {
  c10::intrusive_ptr<Operation> by;
  Tensors from;
};
// inputs[place] of another operation, which is its only reader.
struct PendingInput {
  std::size_t place;
  Pending value;
};
// As above, with pending inputs, in ascending order, which are undefined in `inputs`. If a node of
// autograd is expensive, all operations share one.
Tensors differentiable(c10::intrusive_ptr<Operation> operation, Tensors inputs,
                       const std::vector<PendingInput>& pending);

}  // namespace lcsm
