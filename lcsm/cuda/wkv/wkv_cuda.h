// The weighted mean of RWKV-4 on a GPU: what its kernels are given. Read by nvcc, NVRTC and C++:
// plain pointers and sizes, no header of any side. machines/wkv.h has the same recurrence.
//
// A lane is a channel, a warp has 16 steps of each tile of time, a block 32 channels of a sequence.
#pragma once

#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

constexpr int kWkvLanes = 32;
constexpr int kWkvWarps = 8;
constexpr int kWkvSteps = 16;
constexpr int kWkvTile = kWkvWarps * kWkvSteps;
constexpr int kWkvThreads = kWkvLanes * kWkvWarps;

struct WkvCuda {
  int B, T, D;
  int segment;                      // tiles of a block
  const void *k, *v;                // [B, T, D] of the launch's type, as y, d_y, d_k and d_v
  const float *w, *u;               // [D]
  const float *mean, *log_sum;      // [B, D], of the steps before; null = there are none
  float *last_mean, *last_log_sum;  // [B, D]
  float* kept;  // [B, wkv_parts(T), 2, D]: mean and log_sum before the steps of each warp; forward
                // writes them, null = not wanted
  float* ends;  // [B, segments, 3, D]: what a segment makes of nothing; backward [B, segments, 4,
                // D]: how gradients before it follow from those behind; null = one segment
  void* y;
  const void* d_y;
  const float *d_mean, *d_log_sum;  // [B, D], of the last; null = 0
  void *d_k, *d_v;
  float* d_w_u;                           // [B, segments, 2, D]
  float *d_first_mean, *d_first_log_sum;  // [B, D]; null = not wanted
};

LCSM_HOST_DEVICE constexpr int wkv_tiles(int T) { return (T + kWkvTile - 1) / kWkvTile; }
LCSM_HOST_DEVICE constexpr int wkv_parts(int T) { return (T + kWkvSteps - 1) / kWkvSteps; }

}  // namespace lcsm
