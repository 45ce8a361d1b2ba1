// The kernels of the walk, by size: with decays and without.
#pragma once

#include "lcsm/cuda/walk/walk_back_cuda.cuh"
#include "lcsm/cuda/walk/walk_forward_cuda.cuh"
#include "lcsm/cuda/walk/walk_reverse_cuda.cuh"

#define LCSM_WALK_KERNEL(name, part, blocks, call, Argument)                                     \
  extern "C" __global__ void __launch_bounds__(lcsm::walk_threads(lcsm::WalkPart::part), blocks) \
      name(const __grid_constant__ lcsm::Argument given) {                                       \
    call(given);                                                                                 \
  }
#define LCSM_WALK_KERNELS_OF(size, suffix, decays, ahead, reverse, back)                   \
  LCSM_WALK_KERNEL(walk_forward_##size##suffix, kForward, ahead,                           \
                   (lcsm::walk_forward<size, decays>), ChunkCuda)                          \
  LCSM_WALK_KERNEL(walk_reverse_##size##suffix, kReverse, reverse,                         \
                   (lcsm::walk_reverse<size, decays>), WalkBackCuda)                       \
  LCSM_WALK_KERNEL(walk_back_##size##suffix, kRows, back, (lcsm::walk_back<size, decays>), \
                   WalkBackCuda)
// As many blocks of a multiprocessor as shared memory or registers allow.
#define LCSM_WALK_KERNELS_32() LCSM_WALK_KERNELS_OF(32, , false, 4, 6, 2)
#define LCSM_WALK_KERNELS_64() LCSM_WALK_KERNELS_OF(64, , false, 3, 5, 2)
#define LCSM_WALK_KERNELS_128() LCSM_WALK_KERNELS_OF(128, , false, 2, 3, 1)
#define LCSM_WALK_KERNELS_32_decays() LCSM_WALK_KERNELS_OF(32, _decays, true, 4, 6, 2)
#define LCSM_WALK_KERNELS_64_decays() LCSM_WALK_KERNELS_OF(64, _decays, true, 3, 4, 2)
#define LCSM_WALK_KERNELS_128_decays() LCSM_WALK_KERNELS_OF(128, _decays, true, 2, 2, 1)
#define LCSM_WALK_KERNELS()                                                    \
  LCSM_WALK_KERNELS_32()                                                       \
  LCSM_WALK_KERNELS_64() LCSM_WALK_KERNELS_128() LCSM_WALK_KERNELS_32_decays() \
      LCSM_WALK_KERNELS_64_decays() LCSM_WALK_KERNELS_128_decays()
