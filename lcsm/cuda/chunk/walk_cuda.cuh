// The kernels of the walk, by size and by what decays.
#pragma once

#include "lcsm/cuda/chunk/walk_back_cuda.cuh"
#include "lcsm/cuda/chunk/walk_forward_cuda.cuh"
#include "lcsm/cuda/chunk/walk_fused_cuda.cuh"
#include "lcsm/cuda/chunk/walk_reverse_cuda.cuh"

// name: "forward_64_rows" of walk_forward_64_rows_bfloat16. The rest is the function it calls.
#define LCSM_WALK_KERNEL(name, part, blocks, Argument, ...)                                      \
  extern "C" __global__ void __launch_bounds__(lcsm::walk_threads(lcsm::WalkPart::part), blocks) \
      walk_##name##_bfloat16(const __grid_constant__ lcsm::Argument given) {                     \
    lcsm::__VA_ARGS__(given);                                                                    \
  }
#define LCSM_WALK_FORWARD(size, suffix, what)                                        \
  LCSM_WALK_KERNEL(forward_##size##suffix, kForward,                                 \
                   lcsm::walk_forward_blocks(size, lcsm::Decaying::what), ChunkCuda, \
                   walk_forward<size, lcsm::Decaying::what>)
#define LCSM_WALK_REVERSE(size, suffix, what)                                           \
  LCSM_WALK_KERNEL(reverse_##size##suffix, kReverse,                                    \
                   lcsm::walk_reverse_blocks(size, lcsm::Decaying::what), WalkBackCuda, \
                   walk_reverse<size, lcsm::Decaying::what>)
#define LCSM_WALK_BACK(size, suffix, what)                                                  \
  LCSM_WALK_KERNEL(back_##size##suffix, kRows,                                              \
                   lcsm::walk_back_blocks(size, lcsm::Decaying::what, false), WalkBackCuda, \
                   walk_back<size, lcsm::Decaying::what, false>)
#define LCSM_WALK_BACK_TILES(size, suffix, what)                                           \
  LCSM_WALK_KERNEL(back_##size##_tiles##suffix, kRows,                                     \
                   lcsm::walk_back_blocks(size, lcsm::Decaying::what, true), WalkBackCuda, \
                   walk_back<size, lcsm::Decaying::what, true>)
#define LCSM_WALK_FUSED(size, suffix, what)                                                 \
  LCSM_WALK_KERNEL(fused_##size##suffix, kFused,                                            \
                   lcsm::walk_back_blocks(size, lcsm::Decaying::what, false), WalkBackCuda, \
                   walk_fused<size, lcsm::Decaying::what>)
#define LCSM_WALK_STRONG(size) \
  LCSM_WALK_KERNEL(strong_##size, kStrong, 1, WalkBackCuda, walk_strong<size>)

#define LCSM_WALK_EACH(kernel, size) \
  kernel(size, , kNone) kernel(size, _rows, kRows) kernel(size, _decays, kAny)
#define LCSM_WALK_ANY_CHANNELS(size)         \
  LCSM_WALK_EACH(LCSM_WALK_FORWARD, size)    \
  LCSM_WALK_EACH(LCSM_WALK_REVERSE, size)    \
  LCSM_WALK_EACH(LCSM_WALK_BACK_TILES, size) \
  LCSM_WALK_STRONG(size)
#define LCSM_WALK_ONE_TILE(size)       \
  LCSM_WALK_EACH(LCSM_WALK_BACK, size) \
  LCSM_WALK_FUSED(size, , kNone) LCSM_WALK_FUSED(size, _rows, kRows)
#define LCSM_WALK_KERNELS()  \
  LCSM_WALK_ANY_CHANNELS(32) \
  LCSM_WALK_ANY_CHANNELS(64) \
  LCSM_WALK_ANY_CHANNELS(128) LCSM_WALK_ONE_TILE(32) LCSM_WALK_ONE_TILE(64)
