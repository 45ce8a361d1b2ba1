// The weighted mean of RWKV-4, a vector of channels at a time. Symbols are defined in
// machines/wkv.h.
#pragma once

#include <cstdint>

namespace lcsm {

// Inputs and results of one sequence; [T, D] unless noted.
template <class T>
struct Wkv {
  std::int64_t steps = 0, d = 0;
  const T *k = nullptr, *v = nullptr;
  const T *w = nullptr, *u = nullptr;                   // [D]
  const T *first_mean = nullptr, *first_sum = nullptr;  // [D]; null: the sequence starts
  T *mean = nullptr, *sum = nullptr;                    // n_t and L_t; read by backward
  T* y = nullptr;                                       // forward
  // Backward.
  const T *d_y = nullptr, *d_mean = nullptr, *d_sum = nullptr;  // last two: [D], of the last step
  T *d_k = nullptr, *d_v = nullptr;
  T *d_w = nullptr, *d_u = nullptr, *d_first_mean = nullptr, *d_first_sum = nullptr;  // [D]
};

template <class T>
struct WkvKernels {
  void (*forward)(const Wkv<T>& wkv);
  void (*backward)(const Wkv<T>& wkv);
};

// Kernels for this processor's vectors. T is float or double.
template <class T>
const WkvKernels<T>& wkv_kernels();

}  // namespace lcsm
