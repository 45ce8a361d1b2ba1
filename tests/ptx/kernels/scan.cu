// The scan of one gate, whose source the build writes and names in LCSM_GATE.
#include "lcsm/cuda/scan/scan_cuda.cuh"
#include LCSM_GATE

LCSM_SCAN_COMMON_KERNELS()
