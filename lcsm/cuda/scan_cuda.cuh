// The kernels of the fused scan for one gate: LCSM_SCAN_KERNELS(name, Gate, e, s) after the gate's
// source, e and s = whether these are static.
#pragma once

#include "lcsm/cuda/scan_backward_cuda.cuh"
#include "lcsm/cuda/scan_carry_cuda.cuh"
#include "lcsm/cuda/scan_forward_cuda.cuh"

#define LCSM_SCAN_KERNEL(name, call, argument)                                    \
  extern "C" __global__ void __launch_bounds__(lcsm::kScanTile* lcsm::kScanWarps) \
      name(const __grid_constant__ argument given) {                              \
    call(given);                                                                  \
  }
#define LCSM_SCAN_KERNELS_OF(name, T, ...)                                                 \
  LCSM_SCAN_KERNEL(name##_forward, (lcsm::scan_forward<__VA_ARGS__>), lcsm::ScanCuda)      \
  LCSM_SCAN_KERNEL(name##_backward, (lcsm::scan_backward<__VA_ARGS__>), lcsm::ScanCuda)    \
  LCSM_SCAN_KERNEL(name##_ends, (lcsm::scan_segments<__VA_ARGS__, false>), lcsm::ScanCuda) \
  LCSM_SCAN_KERNEL(name##_starts, (lcsm::scan_segments<__VA_ARGS__, true>), lcsm::ScanCuda)
#define LCSM_SCAN_KERNELS(name, Gate, e, s)                      \
  LCSM_SCAN_KERNELS_OF(name##_float32, float, Gate, float, e, s) \
  LCSM_SCAN_KERNELS_OF(name##_bfloat16, Bfloat16, Gate, lcsm::Bfloat16, e, s)
// Once for all gates.
#define LCSM_SCAN_COMMON_KERNELS()                                             \
  LCSM_SCAN_KERNEL(scan_carry, lcsm::scan_carry, lcsm::ScanCarryCuda)          \
  LCSM_SCAN_KERNEL(scan_sum_float32, lcsm::scan_sum<float>, lcsm::ScanSumCuda) \
  LCSM_SCAN_KERNEL(scan_sum_bfloat16, lcsm::scan_sum<lcsm::Bfloat16>, lcsm::ScanSumCuda)
