// The sum of modes.
#include "lcsm/cuda/modes/modes_cuda.cuh"

LCSM_MODES_real_float32();
LCSM_MODES_real_bfloat16();
LCSM_MODES_real();
LCSM_MODES_complex_float32();
LCSM_MODES_complex_bfloat16();
LCSM_MODES_complex();
