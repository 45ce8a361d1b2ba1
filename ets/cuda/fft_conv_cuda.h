// Long convolution on a GPU: what the kernels around its transforms are given. Read by nvcc, NVRTC
// and C++: plain pointers and sizes. cpu/fft_conv_cpu.h has the same convolution.
//
// Rows are transformed in place: `points` real numbers, or points / 2 + 1 complex ones, in rows of
// points + kFftConvPad real numbers, so that every row begins at a whole sector.
#pragma once

namespace ets {

constexpr int kFftConvTile = 32;  // steps and channels that are transposed at a time
constexpr int kFftConvWarps = 8;
constexpr int kFftConvThreads = kFftConvTile * kFftConvWarps;
constexpr int kFftConvPad = 8;  // the number of points is a multiple of this

struct FftConvCuda {
  int B, T, D, K;
  int directions, lag;
  int points;
  const void* from;              // [B, T, D] of the launch's type, into rows
  const unsigned char* padding;  // [B, T]: where it is not 0, steps of `from` and `to` are 0; null
  void* to;                      // [B, T, D], from rows
  const float* taps;             // [directions, D, K], into rows of channels
  float* d_taps;                 // the same, from rows of channels
  float* rows;                   // [B, D] rows
  float* gradient_rows;          // the same, of d_y
  float* channel_rows;           // [D] rows: of the kernels, then of their gradients
};

}  // namespace ets
