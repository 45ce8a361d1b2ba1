// Convolutions over time by fast Fourier transform; a vector holds channels, so nothing is
// transposed. Two sequences are the real and the imaginary part of one transform: their kernel is
// real, so the parts do not mix.
#pragma once

#include <cstdint>
#include <vector>

namespace ets {

// Points that a circular convolution needs, so that nothing comes around: the length, and the
// longest way of a tap that meets both an input and an output.
std::int64_t fft_points(std::int64_t length, std::int64_t K, std::int64_t directions,
                        std::int64_t lag);

// A length n = leaf * 4^p >= least, p >= 1, and the factors exp(-2 pi i j m / N), m = 1, 2, 3,
// j < N / 4, for N = n, n / 4, ... while N > leaf.
template <class T>
struct FftPlan {
  explicit FftPlan(std::int64_t least);

  std::int64_t n = 0, leaf = 0;         // leaf is 3, 4, 6 or 8
  std::vector<std::vector<T>> factors;  // by level; [N / 4, 3, 2]
};

// y_t = sum over j of k_j x_{t-j} + k'_j x_{t+j+lag}; sequences are [T, D].
template <class T>
struct FftConv {
  const FftPlan<T>* plan = nullptr;  // of fft_points or more
  std::int64_t length = 0, D = 0, K = 0;
  std::int64_t directions = 1, lag = 0;
  const T* kernel = nullptr;  // [directions, D, K]
  const T* x = nullptr;       // [B, T, D], as the next three
  T* y = nullptr;
  const T* d_y = nullptr;
  T* d_x = nullptr;
  T* d_kernel = nullptr;  // [directions, D, K]: written
};

template <class T>
struct FftConvKernels {
  std::int64_t lanes = 0;  // channels of a group
  // Sequences first .. last - 1 of the channels from `channel` on, `lanes` of them or what is left.
  void (*forward)(const FftConv<T>& conv, std::int64_t channel, std::int64_t first,
                  std::int64_t last);
  void (*backward)(const FftConv<T>& conv, std::int64_t channel, std::int64_t first,
                   std::int64_t last);
};

// For the vectors of this processor. T is float or double.
template <class T>
const FftConvKernels<T>& fft_conv_kernels();

}  // namespace ets
