// Sums over conjugate pairs of modes at the roots of unity w = e^(-i a), a = 2 pi k / length:
//   r(w) = sum over m of v_m / (2 (1 - w) - (1 + w) L_m) + conj(v_m) / (2 (1 - w) - (1 + w)
//   conj(L_m))
// With s = sin(a / 2), c = cos(a / 2) a pair is e^(i a / 2) (2 i s Re v - c Re(v conj(L))) / D,
// D = c^2 |L|^2 - 4 s^2 - 4 i s c Re L: one reciprocal for all sums, and nothing special at w = -1.
#pragma once

#include <cstdint>

namespace ets {

template <class T>
struct Cauchy {
  std::int64_t M = 0, D = 0, length = 0;  // nodes k = 0 .. length / 2
  std::int64_t sums = 4;                  // 4 or 6
  const double* real = nullptr;           // Re L, [D, M]
  const double* square = nullptr;         // |L|^2, [D, M]
  const double* v_real = nullptr;         // Re v, [sums, D, M]
  const double* v_rate = nullptr;         // Re(v conj(L)), [sums, D, M]
  T* r = nullptr;                         // [sums, D, nodes, 2]
  const T* d_r = nullptr;
  double* d_real = nullptr;  // as the arrays above: written
  double* d_square = nullptr;
  double* d_v_real = nullptr;
  double* d_v_rate = nullptr;

  std::int64_t nodes() const { return length / 2 + 1; }
};

template <class T>
struct CauchyKernels {
  void (*forward)(const Cauchy<T>& cauchy, std::int64_t first_channel, std::int64_t last_channel);
  void (*backward)(const Cauchy<T>& cauchy, std::int64_t first_channel, std::int64_t last_channel);
};

// Kernels for this processor's vectors. T is the type of the sums, float or double; all else is
// float64.
template <class T>
const CauchyKernels<T>& cauchy_kernels();

}  // namespace ets
