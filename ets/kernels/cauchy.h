// Sums over modes at the roots of unity w = e^(-2 pi i k / L), k = 0 .. L / 2:
//   sum over n of v_n / (2 (1 - w) - (1 + w) rate_n) and its conjugate twin
// v [sums, D, M] and rates [D, M] are complex; the result is [sums, D, L / 2 + 1].
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "lcsm/cuda/driver/gpu_or_cpu.h"

namespace ets {

// The definition.
at::Tensor cauchy_formula(const at::Tensor& v, const at::Tensor& rates, std::int64_t L);

// An operation with its own gradient, which stores no tensor over modes times nodes. It has 4 or 6
// sums.
at::Tensor cauchy_sums(const at::Tensor& v, const at::Tensor& rates, std::int64_t L,
                       const lcsm::GpuOrCpu& gpu = nullptr);

// The roots, in the type of `like`.
at::Tensor roots_of_unity(std::int64_t L, const at::Tensor& like);

}  // namespace ets
