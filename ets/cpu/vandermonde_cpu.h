// Kernels that are sums of modes, a row at a time:
//   k_t = sum over m of Re(w_m exp((t - o_m) z_m)),  z = log_decay + i angle
// Time is cut into blocks of 64 steps, so a row is the product of two small matrices: the modes at
// the start of each block (exact exponentials every 16 blocks, or in every block of a growing
// mode), times exp(a z), a < 64. All but the kernel is float64.
#pragma once

#include <cstdint>

namespace ets {

inline constexpr std::int64_t kVandermondeSteps = 64;

// exp(63 z) must be finite: a mode that grows faster than e^kFastestGrowth a step overflows.
inline constexpr double kFastestGrowth = 11;

template <class T>
struct Vandermonde {
  std::int64_t M = 0, length = 0;
  const double* log_decay = nullptr;  // [rows, M], as the next four
  const double* angle = nullptr;      // null: 0, and weight_imag does not matter
  const double* weight = nullptr;
  const double* weight_imag = nullptr;  // null: 0
  const double* origin = nullptr;       // null: 0
  T* kernel = nullptr;                  // [rows, length]
  const T* d_kernel = nullptr;
  double* d_log_decay = nullptr;  // [rows, M], as the next three: written
  double* d_angle = nullptr;      // null if angle is
  double* d_weight = nullptr;
  double* d_weight_imag = nullptr;  // null if weight_imag is
};

template <class T>
struct VandermondeKernels {
  void (*forward)(const Vandermonde<T>& v, std::int64_t first_row, std::int64_t last_row);
  void (*backward)(const Vandermonde<T>& v, std::int64_t first_row, std::int64_t last_row);
};

// Kernels for this processor's vectors. T is the type of the kernel, float or double.
template <class T>
const VandermondeKernels<T>& vandermonde_kernels();

}  // namespace ets
