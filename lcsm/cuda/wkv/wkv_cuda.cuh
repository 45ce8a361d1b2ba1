// The kernels of the weighted mean, by type.
#pragma once

#include "lcsm/cuda/scan/scan_carry_cuda.cuh"
#include "lcsm/cuda/wkv/wkv_backward_cuda.cuh"
#include "lcsm/cuda/wkv/wkv_forward_cuda.cuh"

#define LCSM_WKV_KERNEL(name, call)                                  \
  extern "C" __global__ void __launch_bounds__(lcsm::kWkvThreads, 2) \
      wkv_##name(const __grid_constant__ lcsm::WkvCuda given) {      \
    call(given);                                                     \
  }
#define LCSM_WKV_KERNELS_OF(type, T)                               \
  LCSM_WKV_KERNEL(forward_##type, (lcsm::wkv_forward<T, false>))   \
  LCSM_WKV_KERNEL(ends_##type, (lcsm::wkv_forward<T, true>))       \
  LCSM_WKV_KERNEL(backward_##type, (lcsm::wkv_backward<T, false>)) \
  LCSM_WKV_KERNEL(starts_##type, (lcsm::wkv_backward<T, true>))
#define LCSM_WKV_float32() LCSM_WKV_KERNELS_OF(float32, float)
#define LCSM_WKV_bfloat16() LCSM_WKV_KERNELS_OF(bfloat16, lcsm::Bfloat16)
// Adds the sums of blocks, for both types.
#define LCSM_WKV()                                                                \
  extern "C" __global__ void __launch_bounds__(lcsm::kScanTile* lcsm::kScanWarps) \
      wkv_sum(const __grid_constant__ lcsm::ScanSumCuda given) {                  \
    lcsm::scan_sum<float>(given);                                                 \
  }
