// Dropout with the bits of the CPU's: what its kernels are given. Read by nvcc, NVRTC and C++.
#pragma once

#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

constexpr int kDropoutThreads = 256;
constexpr int kDropoutPlaces = 8;  // of a thread: 128 random bits, 16 for each

// out = x * scale, or 0 where an element's 16 random bits are less than `below`. Philox4x32-10
// gives the bits of 8 elements for the counter (number of the eight, call, step).
struct DropoutCuda {
  const void* x;
  void* out;  // may be x
  long long count;
  const long long* step;  // on the device, so that a captured launch may be replayed in other steps
  unsigned key[2], call, below;
  float scale;
  bool aligned;  // x and out begin at multiples of 16 bytes
};

}  // namespace lcsm
