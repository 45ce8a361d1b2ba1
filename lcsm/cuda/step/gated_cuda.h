// A gate's activation times a value: what its kernels are given. Read by nvcc, NVRTC and C++.
#pragma once

#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

enum class Activation { kIdentity, kSigmoid, kSilu, kGelu, kRelu };

constexpr int kGatedThreads = 256;
constexpr int kGatedUnits = 2;  // of a thread: four neighbouring numbers, or one

// out = f(gate) * value. Gate and value are each of float32 or bfloat16; out is bfloat16 if both
// are.
struct GatedCuda {
  long long count;
  int columns;         // of a row
  long long gate_row;  // numbers from a row of gate to the next; `columns` if count is above 2^32
  const void *gate, *value, *d_out;
  void *out, *d_gate, *d_value;
};

}  // namespace lcsm
