// Cross-entropy on a GPU, -log softmax(logits)[target]: what its kernels are given. Read by nvcc,
// NVRTC and C++.
#pragma once

#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

struct CrossEntropyCuda {
  long long rows;
  int V;
  int stride;    // of a row, V or more; 0: V
  void* logits;  // [rows, stride] of the launch's type: become their gradient, times `scale`, and 0
                 // from column V on
  const long long* targets;  // [rows]; below 0 = no label: loss and gradient are 0. V or more: NaN
  float* loss;               // [rows]
  float*
      right;  // [rows]: 1 where no logit is above the target's, and of equal ones it is the first
  float scale;
  bool learns;  // false: logits stay as they are
};

// to = the labelled rows, `scale` times the sum of their losses, the right ones; in float64, in a
// fixed order.
struct CrossEntropySumCuda {
  long long rows;
  const long long* targets;
  const float *loss, *right;
  double* to;  // [3]
  double scale;
  bool add;  // to what is there
};

// Up to this number of classes a block computes many rows at a time, from a tile in shared memory.
constexpr int kCrossEntropyNarrow = 2048;
constexpr int kCrossEntropyThreads = 128, kCrossEntropyTile = 16 * 1024;
// A longer row has a block, which keeps up to this number of bytes in shared memory: GPUs for
// graphics give a block 99 KiB, and an H100 has room for two such blocks. A row beyond that is read
// twice.
constexpr int kCrossEntropyKept = 99 * 1024 - 512;

// Rows of a tile: at most the number of threads, and a number with which each tile begins at a
// multiple of 16 bytes.
LCSM_HOST_DEVICE constexpr int cross_entropy_rows(int V, int size) {
  const int least = 16 / size, rows = kCrossEntropyTile / (V * size) / least * least;
  return rows < least ? least : rows < kCrossEntropyThreads ? rows : kCrossEntropyThreads;
}
LCSM_HOST_DEVICE constexpr int cross_entropy_tile_bytes(int V, int size) {
  return cross_entropy_rows(V, size) * V * size;
}

}  // namespace lcsm
