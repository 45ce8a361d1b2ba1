#include "runner/models/skeletons/stream.h"

#include <ATen/TensorOperators.h>

#include "runner/models/skeletons/norms.h"

namespace runner {

using at::Tensor;
using lcsm::ReadBy;

Stream::Stream(const Model& model, Tensor x)
    : gpu_(model.on().backend == lcsm::Backend::kReference ? nullptr : model.on().gpu),
      x_(std::move(x)) {}

void Stream::add(Tensor update) {
  settle();
  update_ = std::move(update);
}

void Stream::set(Tensor x) {
  x_ = std::move(x);
  update_.reset();
}

const Tensor& Stream::x() {
  settle();
  return x_;
}

Tensor Stream::normed(std::string_view kind, const lcsm::Weights& weights, ReadBy read_by,
                      bool training) {
  const bool adds = update_.defined();
  auto [sum, y] = normed_sum({kind, weights, training, read_by, gpu_}, adds ? x_ : Tensor(),
                             adds ? update_ : x_);
  x_ = std::move(sum);
  update_.reset();
  return y;
}

Tensor Stream::normed(const Parts& parts, const std::string& name, ReadBy read_by) {
  static const lcsm::Weights none;
  const auto found = parts.find(name);
  return found == parts.end() ? normed("simple", none, read_by)
                              : normed("layer", found->second, read_by);
}

void Stream::settle() {
  if (update_.defined()) x_ = x_.add(update_);
  update_.reset();
}

}  // namespace runner
