// The kernels of the sum of modes, by real or complex modes and type. "one": for a single mode,
// whole tiles and paired channels.
#pragma once

#include "lcsm/cuda/modes/modes_backward_cuda.cuh"
#include "lcsm/cuda/modes/modes_carry_cuda.cuh"
#include "lcsm/cuda/modes/modes_forward_cuda.cuh"

#define LCSM_MODES_KERNEL(name, call, argument)                        \
  extern "C" __global__ void __launch_bounds__(lcsm::kModesThreads, 2) \
      name(const __grid_constant__ argument given) {                   \
    call(given);                                                       \
  }
#define LCSM_MODES_PASSES(name, ...)                                                             \
  LCSM_MODES_KERNEL(modes_forward_##name, (lcsm::modes_forward<__VA_ARGS__, false>),             \
                    lcsm::ModesCuda)                                                             \
  LCSM_MODES_KERNEL(modes_forward_one_##name, (lcsm::modes_forward<__VA_ARGS__, true>),          \
                    lcsm::ModesCuda)                                                             \
  LCSM_MODES_KERNEL(modes_backward_##name, (lcsm::modes_backward<__VA_ARGS__, false>),           \
                    lcsm::ModesCuda)                                                             \
  LCSM_MODES_KERNEL(modes_backward_one_##name, (lcsm::modes_backward<__VA_ARGS__, true>),        \
                    lcsm::ModesCuda)                                                             \
  LCSM_MODES_KERNEL(modes_ends_##name, (lcsm::modes_ends<__VA_ARGS__, lcsm::ModesWalk::kState>), \
                    lcsm::ModesCuda)                                                             \
  LCSM_MODES_KERNEL(modes_starts_##name,                                                         \
                    (lcsm::modes_ends<__VA_ARGS__, lcsm::ModesWalk::kGradient>), lcsm::ModesCuda)
#define LCSM_MODES_real_float32() LCSM_MODES_PASSES(real_float32, float, 1)
#define LCSM_MODES_real_bfloat16() LCSM_MODES_PASSES(real_bfloat16, lcsm::Bfloat16, 1)
#define LCSM_MODES_complex_float32() LCSM_MODES_PASSES(complex_float32, float, 2)
#define LCSM_MODES_complex_bfloat16() LCSM_MODES_PASSES(complex_bfloat16, lcsm::Bfloat16, 2)
// The kernels of states and of sums, which do not depend on the type of x.
#define LCSM_MODES_BESIDE(name, parts)                                                  \
  LCSM_MODES_KERNEL(modes_carry_##name, lcsm::modes_carry<parts>, lcsm::ModesCarryCuda) \
  LCSM_MODES_KERNEL(modes_gradients_##name, lcsm::modes_gradients<parts>, lcsm::ModesGradientsCuda)
#define LCSM_MODES_real() LCSM_MODES_BESIDE(real, 1)
#define LCSM_MODES_complex() LCSM_MODES_BESIDE(complex, 2)
