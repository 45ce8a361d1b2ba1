// The delta rule, m_t = (I - u_t v_t^T) m_{t-1} + u_t i_t^T, with the memory in L1.
//
// With w_t = i_t - v_t^T m_{t-1} it is m_t = m_{t-1} + u_t w_t^T: once w is known all else is
// sweeps without decay (sweep_cpu.h). w is what the WY form solves a triangle for, chunk by chunk;
// row by row, with the memory at hand, it costs 2kd FLOP a step and no triangle.
#pragma once

#include <cstdint>

namespace lcsm {

// Columns `first` to `last` of one sequence.
template <class T>
struct Delta {
  std::int64_t steps = 0, K = 0, D = 0;
  const T *u = nullptr, *v = nullptr, *s = nullptr;  // [T, K]
  const T* i = nullptr;                              // [T, D]
  const T* d_y = nullptr;                            // [T, D], backward
  T* y = nullptr;                                    // [T, D], forward
  T* w = nullptr;       // [T, D]; forward: w. Backward: its gradient, which is also that of i
  T* memory = nullptr;  // [K, D]; m or its gradient. In: at the start, out: at the end
  std::int64_t first = 0, last = 0;
};

template <class T>
struct DeltaKernels {
  void (*forward)(const Delta<T>& delta);
  void (*backward)(const Delta<T>& delta);
};

// For the vectors of this machine. T is float or double.
template <class T>
const DeltaKernels<T>& delta_kernels();

}  // namespace lcsm
