// A short causal convolution of each channel, a vector of channels at a time.
#pragma once

#include <cstdint>

namespace lcsm {

// Inputs and results of one sequence; the weights are stored tap by tap.
template <class T>
struct ShortConv {
  std::int64_t steps = 0, d = 0, taps = 0;
  const T* x = nullptr;       // [T, D]
  const T* before = nullptr;  // [taps - 1, D]; null = 0
  const T* weight = nullptr;  // [taps, D]
  const T* bias = nullptr;    // [D]; null = 0
  T* y = nullptr;             // [T, D]; forward
  // Backward.
  const T* d_y = nullptr;
  T *d_x = nullptr, *d_before = nullptr;     // written; d_before null: not wanted
  T *d_weight = nullptr, *d_bias = nullptr;  // [taps, D], [D]; written
};

template <class T>
struct ShortConvKernels {
  void (*forward)(const ShortConv<T>& conv);
  void (*backward)(const ShortConv<T>& conv);
};

// Kernels for this processor's vectors. T is float or double.
template <class T>
const ShortConvKernels<T>& short_conv_kernels();

}  // namespace lcsm
