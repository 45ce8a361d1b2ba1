// The kernels of the fused scan for one gate: LCSM_SCAN_KERNELS(name, Gate, e, s) after the gate's
// source, e and s = their lcsm::StageKind.
#pragma once

#include "lcsm/cuda/scan/scan_backward_cuda.cuh"
#include "lcsm/cuda/scan/scan_carry_cuda.cuh"
#include "lcsm/cuda/scan/scan_channels_backward_cuda.cuh"
#include "lcsm/cuda/scan/scan_forward_cuda.cuh"

// `blocks`: as many blocks per multiprocessor as shared memory allows. Without this number ptxas
// saves registers and spills.
#define LCSM_SCAN_KERNEL(name, blocks, call, argument)                                    \
  extern "C" __global__ void __launch_bounds__(lcsm::kScanTile* lcsm::kScanWarps, blocks) \
      name(const __grid_constant__ argument given) {                                      \
    call(given);                                                                          \
  }
#define LCSM_SCAN_KERNELS_OF(name, Gate, ...)                                                  \
  LCSM_SCAN_KERNEL(name##_forward,                                                             \
                   lcsm::chosen(LCSM_SCAN_FORWARD_BLOCKS, lcsm::scan_blocks(Gate::kParts)),    \
                   (lcsm::scan_forward<Gate, __VA_ARGS__>), lcsm::ScanCuda)                    \
  LCSM_SCAN_KERNEL(name##_backward,                                                            \
                   lcsm::chosen(LCSM_SCAN_BACKWARD_BLOCKS,                                     \
                                lcsm::scan_backward_blocks(sizeof(                             \
                                    typename lcsm::ScanBackward<Gate, __VA_ARGS__>::Shared))), \
                   (lcsm::scan_backward<Gate, __VA_ARGS__>), lcsm::ScanCuda)                   \
  LCSM_SCAN_KERNEL(name##_ends, lcsm::scan_blocks(Gate::kParts),                               \
                   (lcsm::scan_segments<Gate, __VA_ARGS__, false>), lcsm::ScanCuda)            \
  LCSM_SCAN_KERNEL(name##_starts, lcsm::scan_blocks(Gate::kParts),                             \
                   (lcsm::scan_segments<Gate, __VA_ARGS__, true>), lcsm::ScanCuda)
#define LCSM_SCAN_KERNELS_FLOAT32(name, Gate, e, s) \
  LCSM_SCAN_KERNELS_OF(name##_float32, Gate, float, e, s)
#define LCSM_SCAN_KERNELS(name, Gate, e, s)   \
  LCSM_SCAN_KERNELS_FLOAT32(name, Gate, e, s) \
  LCSM_SCAN_KERNELS_OF(name##_bfloat16, Gate, lcsm::Bfloat16, e, s)
// For one row. In float32 two blocks of a backward pass do not fit a multiprocessor's registers.
#define LCSM_SCAN_CHANNELS_KERNEL(name, blocks, ...)                                         \
  extern "C" __global__ void __launch_bounds__(lcsm::kScanTile* lcsm::kChannelWarps, blocks) \
      name(const __grid_constant__ lcsm::ScanCuda given) {                                   \
    __VA_ARGS__(given);                                                                      \
  }
#define LCSM_SCAN_CHANNELS_KERNELS_OF(name, blocks, Gate, ...)                                    \
  LCSM_SCAN_CHANNELS_KERNEL(name##_forward, lcsm::chosen(LCSM_CHANNELS_FORWARD_BLOCKS, 2),        \
                            lcsm::scan_channels_forward<Gate, __VA_ARGS__>)                       \
  LCSM_SCAN_CHANNELS_KERNEL(name##_backward, lcsm::chosen(LCSM_CHANNELS_BACKWARD_BLOCKS, blocks), \
                            lcsm::scan_channels_backward<Gate, __VA_ARGS__>)                      \
  LCSM_SCAN_CHANNELS_KERNEL(name##_ends, 2,                                                       \
                            lcsm::scan_channels_segments<Gate, __VA_ARGS__, false>)               \
  LCSM_SCAN_CHANNELS_KERNEL(name##_starts, 2, lcsm::scan_channels_segments<Gate, __VA_ARGS__, true>)
#define LCSM_SCAN_CHANNELS_KERNELS_FLOAT32(name, Gate, e, s) \
  LCSM_SCAN_CHANNELS_KERNELS_OF(name##_float32, 1, Gate, float, e, s)
#define LCSM_SCAN_CHANNELS_KERNELS(name, Gate, e, s)   \
  LCSM_SCAN_CHANNELS_KERNELS_FLOAT32(name, Gate, e, s) \
  LCSM_SCAN_CHANNELS_KERNELS_OF(name##_bfloat16, 2, Gate, lcsm::Bfloat16, e, s)
// The kernels that all gates share.
#define LCSM_SCAN_COMMON_KERNELS()                                                \
  LCSM_SCAN_KERNEL(scan_carry_1, 4, lcsm::scan_carry<1>, lcsm::ScanCarryCuda)     \
  LCSM_SCAN_KERNEL(scan_carry_2, 4, lcsm::scan_carry<2>, lcsm::ScanCarryCuda)     \
  LCSM_SCAN_KERNEL(scan_sum_float32, 4, lcsm::scan_sum<float>, lcsm::ScanSumCuda) \
  LCSM_SCAN_KERNEL(scan_sum_bfloat16, 4, lcsm::scan_sum<lcsm::Bfloat16>, lcsm::ScanSumCuda)
