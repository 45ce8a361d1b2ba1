// The kernels of the walk, by size: with decays and without.
#pragma once

#include "lcsm/cuda/chunk/walk_back_cuda.cuh"
#include "lcsm/cuda/chunk/walk_forward_cuda.cuh"
#include "lcsm/cuda/chunk/walk_fused_cuda.cuh"
#include "lcsm/cuda/chunk/walk_reverse_cuda.cuh"

#define LCSM_WALK_KERNEL(name, part, blocks, call, Argument)                                     \
  extern "C" __global__ void __launch_bounds__(lcsm::walk_threads(lcsm::WalkPart::part), blocks) \
      name(const __grid_constant__ lcsm::Argument given) {                                       \
    call(given);                                                                                 \
  }
#define LCSM_WALK_AHEAD(size, suffix, decaying, ahead, reverse)                     \
  LCSM_WALK_KERNEL(walk_forward_##size##suffix##_bfloat16, kForward,                \
                   lcsm::chosen(LCSM_WALK_FORWARD_BLOCKS, ahead),                   \
                   (lcsm::walk_forward<size, lcsm::Decaying::decaying>), ChunkCuda) \
  LCSM_WALK_KERNEL(walk_reverse_##size##suffix##_bfloat16, kReverse,                \
                   lcsm::chosen(LCSM_WALK_REVERSE_BLOCKS, reverse),                 \
                   (lcsm::walk_reverse<size, lcsm::Decaying::decaying>), WalkBackCuda)
#define LCSM_WALK_BACK(size, suffix, decaying, many, blocks)    \
  LCSM_WALK_KERNEL(walk_back_##size##suffix##_bfloat16, kRows,  \
                   lcsm::chosen(LCSM_WALK_BACK_BLOCKS, blocks), \
                   (lcsm::walk_back<size, lcsm::Decaying::decaying, many>), WalkBackCuda)
#define LCSM_WALK_FUSED(size, suffix, decaying)                  \
  LCSM_WALK_KERNEL(walk_fused_##size##suffix##_bfloat16, kFused, \
                   lcsm::chosen(LCSM_WALK_BACK_BLOCKS, 2),       \
                   (lcsm::walk_fused<size, lcsm::Decaying::decaying>), WalkBackCuda)
#define LCSM_WALK_STRONG(size)                                                           \
  LCSM_WALK_KERNEL(walk_strong_##size##_bfloat16, kStrong, 1, (lcsm::walk_strong<size>), \
                   WalkBackCuda)
// The last numbers say how many blocks a multiprocessor should hold, unless others are chosen. On
// an H200, those for 64 and 128 rows were the fastest that were tried.
#define LCSM_WALK_AHEAD_32() LCSM_WALK_AHEAD(32, , kNone, 4, 6)
#define LCSM_WALK_AHEAD_64() LCSM_WALK_AHEAD(64, , kNone, 3, 4)
#define LCSM_WALK_AHEAD_128() LCSM_WALK_AHEAD(128, , kNone, 2, 2)
#define LCSM_WALK_AHEAD_32_rows() LCSM_WALK_AHEAD(32, _rows, kRows, 3, 4)
#define LCSM_WALK_AHEAD_64_rows() LCSM_WALK_AHEAD(64, _rows, kRows, 3, 4)
#define LCSM_WALK_AHEAD_128_rows() LCSM_WALK_AHEAD(128, _rows, kRows, 2, 2)
#define LCSM_WALK_AHEAD_32_decays() LCSM_WALK_AHEAD(32, _decays, kAny, 3, 4)
#define LCSM_WALK_AHEAD_64_decays() LCSM_WALK_AHEAD(64, _decays, kAny, 2, 4)
#define LCSM_WALK_AHEAD_128_decays() LCSM_WALK_AHEAD(128, _decays, kAny, 2, 2)
#define LCSM_WALK_BACK_32() LCSM_WALK_BACK(32, , kNone, false, 2)
#define LCSM_WALK_BACK_64() LCSM_WALK_BACK(64, , kNone, false, 2)
#define LCSM_WALK_BACK_32_tiles() LCSM_WALK_BACK(32, _tiles, kNone, true, 2)
#define LCSM_WALK_BACK_64_tiles() LCSM_WALK_BACK(64, _tiles, kNone, true, 1)
#define LCSM_WALK_BACK_128_tiles() LCSM_WALK_BACK(128, _tiles, kNone, true, 1)
#define LCSM_WALK_BACK_32_rows() LCSM_WALK_BACK(32, _rows, kRows, false, 2)
#define LCSM_WALK_BACK_64_rows() LCSM_WALK_BACK(64, _rows, kRows, false, 2)
#define LCSM_WALK_BACK_32_tiles_rows() LCSM_WALK_BACK(32, _tiles_rows, kRows, true, 1)
#define LCSM_WALK_BACK_64_tiles_rows() LCSM_WALK_BACK(64, _tiles_rows, kRows, true, 1)
#define LCSM_WALK_BACK_128_tiles_rows() LCSM_WALK_BACK(128, _tiles_rows, kRows, true, 1)
#define LCSM_WALK_BACK_32_decays() LCSM_WALK_BACK(32, _decays, kAny, false, 2)
#define LCSM_WALK_BACK_64_decays() LCSM_WALK_BACK(64, _decays, kAny, false, 2)
#define LCSM_WALK_BACK_32_tiles_decays() LCSM_WALK_BACK(32, _tiles_decays, kAny, true, 1)
#define LCSM_WALK_BACK_64_tiles_decays() LCSM_WALK_BACK(64, _tiles_decays, kAny, true, 1)
#define LCSM_WALK_BACK_128_tiles_decays() LCSM_WALK_BACK(128, _tiles_decays, kAny, true, 1)
#define LCSM_WALK_FUSED_32() LCSM_WALK_FUSED(32, , kNone)
#define LCSM_WALK_FUSED_64() LCSM_WALK_FUSED(64, , kNone)
#define LCSM_WALK_FUSED_32_rows() LCSM_WALK_FUSED(32, _rows, kRows)
#define LCSM_WALK_FUSED_64_rows() LCSM_WALK_FUSED(64, _rows, kRows)
#define LCSM_WALK_KERNELS()                                                                     \
  LCSM_WALK_AHEAD_32()                                                                          \
  LCSM_WALK_AHEAD_64()                                                                          \
  LCSM_WALK_AHEAD_128()                                                                         \
  LCSM_WALK_AHEAD_32_rows() LCSM_WALK_AHEAD_64_rows() LCSM_WALK_AHEAD_128_rows()                \
      LCSM_WALK_AHEAD_32_decays() LCSM_WALK_AHEAD_64_decays() LCSM_WALK_AHEAD_128_decays()      \
          LCSM_WALK_BACK_32() LCSM_WALK_BACK_64() LCSM_WALK_BACK_32_tiles()                     \
              LCSM_WALK_BACK_64_tiles() LCSM_WALK_BACK_128_tiles() LCSM_WALK_BACK_32_rows()     \
                  LCSM_WALK_BACK_64_rows() LCSM_WALK_BACK_32_tiles_rows()                       \
                      LCSM_WALK_BACK_64_tiles_rows() LCSM_WALK_BACK_128_tiles_rows()            \
                          LCSM_WALK_BACK_32_decays() LCSM_WALK_BACK_64_decays()                 \
                              LCSM_WALK_BACK_32_tiles_decays() LCSM_WALK_BACK_64_tiles_decays() \
                                  LCSM_WALK_BACK_128_tiles_decays() LCSM_WALK_STRONG(32)        \
                                      LCSM_WALK_STRONG(64) LCSM_WALK_STRONG(128)                \
                                          LCSM_WALK_FUSED_32() LCSM_WALK_FUSED_64()             \
                                              LCSM_WALK_FUSED_32_rows() LCSM_WALK_FUSED_64_rows()
