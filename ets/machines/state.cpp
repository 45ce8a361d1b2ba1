#include "ets/machines/state.h"

#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros.h>

#include <stdexcept>

namespace ets {

using at::Tensor;

Tensor opened(const lcsm::BlockState& state, const std::string& name, const Tensor& like) {
  const auto found = state.find(name);
  if (found == state.end()) return at::zeros(like.sizes(), like.options());
  const bool complex = like.is_complex();
  std::vector<std::int64_t> shape = like.sizes().vec();
  if (complex) shape.push_back(2);
  if (found->second.sizes() != at::IntArrayRef(shape))
    throw std::invalid_argument("state '" + name + "': expected shape " +
                                c10::str(at::IntArrayRef(shape)) + ", got " +
                                c10::str(found->second.sizes()));
  return complex ? complex_of(found->second) : found->second;
}

Tensor stored(const Tensor& h) { return h.is_complex() ? at::view_as_real(h) : h; }

}  // namespace ets
