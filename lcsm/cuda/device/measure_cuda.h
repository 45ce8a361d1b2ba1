// The interface between ceilings_cuda.cpp and measure_cuda.cu: plain pointers, no header of either
// side.
#pragma once

#include <cstddef>

extern "C" {

enum LcsmCudaType { kLcsmFloat32, kLcsmFloat64, kLcsmBfloat16 };

// c = a b, all [n, n] row-major on the device, n a multiple of 128. For kLcsmBfloat16 a and b are
// bfloat16 and c is float32.
struct LcsmMatmulCuda {
  LcsmCudaType type;
  const void* a;
  const void* b;
  void* c;
  int n;
};

struct LcsmCopyCuda {
  const void* from;
  void* to;
  std::size_t bytes;  // a multiple of 16 KiB
};

// Runs the work `repeats` times and stores the milliseconds of each, by CUDA events, in `ms`.
// Returns null, or CUDA's error message.
const char* lcsm_matmul_cuda(const LcsmMatmulCuda* work, int repeats, float* ms);
const char* lcsm_copy_cuda(const LcsmCopyCuda* work, int repeats, float* ms);

const char* lcsm_synchronize_cuda();
}
