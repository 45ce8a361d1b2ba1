// Convolutions over time by fast Fourier transform; a vector holds channels, so nothing is
// transposed. They are products of polynomials modulo z^n + i: what wraps around the end goes to
// the imaginary part of a result, so a sequence needs only as many points as it has steps.
#pragma once

#include <hwy/aligned_allocator.h>

#include <cstdint>
#include <vector>

namespace ets {

// A length n = first * 4^p >= least, p >= 1, and the factors of each block: w^1 ... w^(R-1), where
// a step by R takes polynomials modulo z^N - w^R to those modulo z^(N/R) - w exp(-2 pi i s / R).
template <class T>
struct FftPlan {
  explicit FftPlan(std::int64_t least);

  std::int64_t n = 0, first = 0;        // first is 3, 4, 6 or 8
  std::vector<std::vector<T>> factors;  // by level; [blocks, R - 1, 2]
};

// y_t = sum over j of k_j x_{t-j} + k'_j x_{t+j+lag}; sequences are [T, D].
template <class T>
struct FftConv {
  const FftPlan<T>* plan = nullptr;  // of `length` points or more
  std::int64_t length = 0, D = 0, K = 0;
  std::int64_t directions = 1, lag = 0;
  std::int64_t group = 1;     // channels that are computed together
  const T* kernel = nullptr;  // [directions, D, K]
  const T* x = nullptr;       // [B, T, D], as the next three
  T* y = nullptr;
  const T* d_y = nullptr;
  T* d_x = nullptr;
  T* d_kernel = nullptr;  // [directions, D, K]: written
};

// Channels of a group: whole cache lines, as many as let the spectra stay in the caches, but no
// fewer groups than threads if possible.
template <class T>
std::int64_t fft_group(std::int64_t points, std::int64_t D, std::int64_t threads);

// Scratch space of a thread, reused from group to group; it grows as needed.
template <class T>
struct FftSpace {
  T* at_least(std::size_t wanted) {
    if (size < wanted) numbers = hwy::AllocateAligned<T>(size = wanted);
    return numbers.get();
  }

  std::size_t size = 0;
  hwy::AlignedFreeUniquePtr<T[]> numbers;
};

template <class T>
struct FftConvKernels {
  // Sequences first .. last - 1 of the channels from `channel` on, a group or the remaining
  // channels.
  void (*forward)(const FftConv<T>& conv, std::int64_t channel, std::int64_t first,
                  std::int64_t last, FftSpace<T>* space) = nullptr;
  void (*backward)(const FftConv<T>& conv, std::int64_t channel, std::int64_t first,
                   std::int64_t last, FftSpace<T>* space) = nullptr;
};

// Kernels for this processor's vectors. T is float or double.
template <class T>
const FftConvKernels<T>& fft_conv_kernels();

}  // namespace ets
