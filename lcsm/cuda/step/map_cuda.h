// A formula over whole tensors: what its kernels are given. Read by nvcc, NVRTC and C++.
#pragma once

#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

constexpr int kMapLeaves = 8;
constexpr int kMapThreads = 256;
constexpr int kMapUnits = 2;  // of a thread: four neighbouring numbers, or one

// Leaves over cells and out are each of float32 or bfloat16.
struct MapCuda {
  long long count;
  int columns;
  const void* leaves[kMapLeaves];  // over cells [count]; else float32, [columns] or one number
  const void* d_out;               // [count]
  void* out;
  void* d_leaves[kMapLeaves];  // of those over cells
};

}  // namespace lcsm
