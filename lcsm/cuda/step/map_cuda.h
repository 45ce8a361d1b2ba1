// A formula over whole tensors: what its kernels are given. Read by nvcc, NVRTC and C++.
#pragma once

#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

constexpr int kMapLeaves = 8;
constexpr int kMapThreads = 256;
constexpr int kMapRows = 2;  // of a thread at a time

// Cells are rows of columns, the last row perhaps not whole. A team of lanes, a power of two of at
// most 32, has a tile of neighbouring columns of a row at a time: each lane four of them, or one.
// Leaves over the data and out are each of float32 or bfloat16; other leaves are float32.
struct MapCuda {
  long long count, rows;
  int columns, lanes;
  const void* leaves[kMapLeaves];  // over cells [count], steps [rows], channels [columns], a number
  const void* d_out;               // [count]
  void* out;
  // Over cells [count]. Null, or float32 sums: of a row's tiles [rows, tiles] for a leaf over
  // steps, else of a block's rows [blocks, columns].
  void* d_leaves[kMapLeaves];
};

}  // namespace lcsm
