// A norm over channels, and the residual that is added before it: what its kernels are given. Read
// by nvcc, NVRTC and C++.
#pragma once

#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

constexpr int kNormThreads = 256, kNormTeam = 4;
constexpr int kNormNumbers = 16;                              // of a row, that a thread keeps
constexpr int kNormMost = kNormThreads * kNormNumbers;        // channels
constexpr int kNormSumThreads = 32;                           // columns, and groups of rows
constexpr int kNormStride = kNormThreads + kNormNumbers / 2;  // of a shared array: no conflicts

// s = x + residual; y = (s - mean) * scale * weight + bias, scale = 1 / sqrt(variance + eps). Not
// centered: the mean is 0. X and Y are the launch's types, float32 or bfloat16.
struct NormCuda {
  long long rows;
  int d;
  int team;  // threads of a row: a power of two, kNormTeam or more
  float eps;
  bool centered;
  bool aligned;                // weight and bias begin at multiples of 16 bytes
  const void* x;               // [rows, d] of X; not read backward where there is a residual
  const float* residual;       // [rows, d]; null: none
  float* sum;                  // [rows, d], s; null where there is no residual
  const float *weight, *bias;  // [d]; null: 1, 0
  void* y;                     // [rows, d] of Y
  float *mean, *scale;         // [rows]; mean: only if centered
  const void* d_y;             // [rows, d] of Y
  const float* d_sum;          // [rows, d]; null: 0
  void* d_x;                   // [rows, d] of X; null: not wanted
  float* d_residual;           // [rows, d]: d_x before it is rounded; null: not wanted
  float* partial;              // [blocks, 2, d]: d_weight and d_bias of each block; null: none
};

struct NormSumCuda {
  int d, blocks;
  const float* partial;
  float *d_weight, *d_bias;  // [d]; null: not wanted
};

}  // namespace lcsm
