// A short causal convolution of each channel, and its activation: what its kernels are given. Read
// by nvcc, NVRTC and C++.
#pragma once

#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

constexpr int kConvThreads = 256;
constexpr int kConvSteps = 32;  // of a thread
constexpr int kConvTaps = 8;    // at most

// y_t = f(bias + sum over j of weight_j x_(t-j)). x, y and their gradients are all of float32 or of
// bfloat16.
struct ShortConvCuda {
  int steps;
  int d;
  long long row;               // numbers from a row of x to the next
  int lanes;                   // threads of a row: a power of two
  int parts;                   // blocks of a sequence, one after the other
  const void* x;               // [B, steps, d]
  const float *weight, *bias;  // [taps, d]; [d], null: 0
  const void* d_y;             // [B, steps, d]
  void *y, *d_x;               // [B, steps, d]
  float* partial;              // [B parts, taps + 1, d]: d_weight, then d_bias, of each block
};

}  // namespace lcsm
