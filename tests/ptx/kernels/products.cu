// The sum of many modes, and its parts shared with few.
#include "lcsm/cuda/modes/modes_cuda.cuh"
#include "lcsm/cuda/modes/products_cuda.cuh"

LCSM_PRODUCTS_real_float32();
LCSM_PRODUCTS_real_bfloat16();
LCSM_MODES_real();
LCSM_PRODUCTS_complex_float32();
LCSM_PRODUCTS_complex_bfloat16();
LCSM_MODES_complex();
