// The delta rule, m_t = a_t (I - u_t v_t^T) m_{t-1} + u_t i_t^T, with the memory in L1.
//
// With w_t = i_t - a_t v_t^T m_{t-1} this is m_t = a_t m_{t-1} + u_t w_t^T: once w is known,
// everything else is an outer sum (outer_sum_cpu.h). The WY form finds w by solving a triangular
// system per chunk; row by row, with the memory in L1, w costs 2kd FLOP per step and no solve.
#pragma once

#include <cstdint>

namespace lcsm {

// Inputs and results of one sequence, for its columns `first` to `last`.
template <class T>
struct Delta {
  std::int64_t steps = 0, K = 0, D = 0;
  const T *u = nullptr, *v = nullptr, *s = nullptr;  // [T, K]
  const T* a = nullptr;                              // [T]; null = 1
  const T* i = nullptr;                              // [T, D]
  const T* d_y = nullptr;                            // [T, D], backward
  T* y = nullptr;                                    // [T, D], forward
  T* w = nullptr;       // [T, D]; forward: w. Backward: its gradient, also the gradient of i
  T* memory = nullptr;  // [K, D]; m or its gradient. In: at the start, out: at the end
  std::int64_t first = 0, last = 0;
};

template <class T>
struct DeltaKernels {
  void (*forward)(const Delta<T>& delta);
  void (*backward)(const Delta<T>& delta);
};

// Kernels for this processor's vectors. T is float or double.
template <class T>
const DeltaKernels<T>& delta_kernels();

}  // namespace lcsm
