// Chooses the launches of the delta rule: kernels, grids, arguments and memory. The host side,
// without a driver.
#pragma once

#include <vector>

#include "lcsm/cuda/chunk/chunk_calls.h"
#include "lcsm/cuda/delta/delta_walk_cuda.h"

namespace lcsm {

struct DeltaWork {
  bool bfloat16 = false;  // what is over data; memories that enter and leave are float32
  int processors = 132;   // of the device: time is split where sequences leave most of them idle
  Choices choices = {};
  // The caller sets sizes, inputs, `last`, `kept` (chunk_kept_count), `w`, `to_y` and `d_i`, and
  // for backward `enters`: whether forward began with a memory. The rest is filled in here.
  DeltaCuda delta = {};
  const float* first =
      nullptr;  // [B, K, D]: m before the first step, or the gradient of the last m; null = 0
  void *d_u = nullptr, *d_v = nullptr, *d_s = nullptr;  // [B, T, K]
  void* d_log_a = nullptr;                              // [B, T]
};

// Calls to queue one after the other on one stream. Throws for more rows than kChunkMostRows.
std::vector<KernelCall> delta_forward_calls(const DeltaWork& work, const Allocate& allocate);
std::vector<KernelCall> delta_backward_calls(const DeltaWork& work, const Allocate& allocate);

// In the names of kernels, by DeltaPart.
inline constexpr const char* kDeltaParts[] = {"systems", "walk", "systems_back", "reverse", "rows"};

// The source for NVRTC of the kernels that work of this size and type launches.
CudaSource delta_source(const DeltaWork& work);

}  // namespace lcsm
