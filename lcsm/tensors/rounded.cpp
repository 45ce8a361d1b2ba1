#include "lcsm/tensors/rounded.h"

#include <ATen/ops/_foreach_copy.h>
#include <ATen/ops/empty.h>

#include <stdexcept>
#include <unordered_map>

namespace lcsm {
namespace {

using at::Tensor;

// Like these, which are contiguous, in one memory, each from a multiple of 16 bytes on, as products
// want it. None is a view, so that each may be the result of an operation.
Tensors in_one_memory(const Tensors& like, at::ScalarType type) {
  const auto room = [](const Tensor& tensor) { return (tensor.numel() + 7) / 8 * 8; };
  std::int64_t count = 0;
  for (const Tensor& each : like) count += room(each);
  const at::TensorOptions options = like.at(0).options().dtype(type).requires_grad(false);
  const Tensor all = at::empty({count}, options);
  Tensors tensors;
  std::int64_t from = 0;
  for (const Tensor& each : like) {
    tensors.push_back(at::empty({0}, options));
    tensors.back().set_(all.storage(), from, each.sizes(), each.strides());
    from += room(each);
  }
  return tensors;
}

struct RoundingOfAll : Operation {
  RoundingOfAll() { keeps_inputs = false; }

  // One with gaps would be copied alone, and so would all others.
  static Tensors copied(const Tensors& given, at::ScalarType type) {
    Tensors from;
    for (const Tensor& each : given) from.push_back(each.contiguous());
    const Tensors to = in_one_memory(from, type);
    at::_foreach_copy_(to, from);
    return to;
  }

  Tensors forward(const Tensors& inputs) const override { return copied(inputs, at::kBFloat16); }
  Tensors backward(const Tensors&, const Tensors&, const Tensors& d) const override {
    Tensors there;
    for (const Tensor& each : d)
      if (each.defined()) there.push_back(each);
    if (there.empty()) return d;
    const Tensors wide = copied(there, at::kFloat);
    Tensors gradients;
    auto next = wide.begin();
    for (const Tensor& each : d) gradients.push_back(each.defined() ? *next++ : Tensor());
    return gradients;
  }
};

thread_local std::unordered_map<const at::TensorImpl*, Tensor> rounded_weights;

}  // namespace

RoundedWeights::RoundedWeights(const Tensors& weights) {
  if (!rounded_weights.empty()) throw std::logic_error("RoundedWeights: this thread has some");
  if (weights.empty()) return;
  auto operation = c10::make_intrusive<RoundingOfAll>();
  operation->results = weights.size();
  const Tensors rounded = differentiable(std::move(operation), weights);
  for (std::size_t n = 0; n < weights.size(); ++n)
    rounded_weights[weights[n].unsafeGetTensorImpl()] = rounded[n];
}

RoundedWeights::~RoundedWeights() { rounded_weights.clear(); }

Tensor rounded(const Tensor& weight) {
  if (rounded_weights.empty() || !weight.defined()) return weight;
  const auto found = rounded_weights.find(weight.unsafeGetTensorImpl());
  return found == rounded_weights.end() ? weight : found->second;
}

}  // namespace lcsm
