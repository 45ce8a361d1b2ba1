// The kernels of the sum of many modes, by real or complex modes and type.
#pragma once

#include "lcsm/cuda/modes/products_backward_cuda.cuh"

#define LCSM_PRODUCTS_KERNEL(name, type, call)                                                     \
  extern "C" __global__ void __launch_bounds__(32 * lcsm::products_channels(sizeof(type) == 2), 1) \
      name(const __grid_constant__ lcsm::ModesProductsCuda given) {                                \
    call(given);                                                                                   \
  }
#define LCSM_PRODUCTS_PASSES(name, type, parts)                                                    \
  LCSM_PRODUCTS_KERNEL(products_forward_##name, type, (lcsm::products_forward<type, parts, true>)) \
  LCSM_PRODUCTS_KERNEL(products_ends_##name, type, (lcsm::products_forward<type, parts, false>))   \
  LCSM_PRODUCTS_KERNEL(products_backward_##name, type, (lcsm::products_backward<type, parts>))     \
  LCSM_PRODUCTS_KERNEL(products_starts_##name, type, (lcsm::products_starts<type, parts>))
#define LCSM_PRODUCTS_real_float32() LCSM_PRODUCTS_PASSES(real_float32, float, 1)
#define LCSM_PRODUCTS_real_bfloat16() LCSM_PRODUCTS_PASSES(real_bfloat16, lcsm::Bfloat16, 1)
#define LCSM_PRODUCTS_complex_float32() LCSM_PRODUCTS_PASSES(complex_float32, float, 2)
#define LCSM_PRODUCTS_complex_bfloat16() LCSM_PRODUCTS_PASSES(complex_bfloat16, lcsm::Bfloat16, 2)
