// Tensors whose rows, of the last axis, begin at equal distances: kernels read parts of wider rows.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace lcsm {

// x, or a copy without gaps.
inline at::Tensor in_rows(const at::Tensor& x) {
  const std::int64_t last = x.dim() - 1;
  bool even = last > 0 && x.stride(last) == 1;
  for (std::int64_t n = 0; n + 1 < last; ++n)
    even = even && x.stride(n) == x.size(n + 1) * x.stride(n + 1);
  return even ? x : x.contiguous();
}

// The numbers from a row to the next.
inline std::int64_t row_of(const at::Tensor& rows) {
  return rows.is_contiguous() ? rows.size(-1) : rows.stride(-2);
}

}  // namespace lcsm
