// The sums of S4's kernel.
#include "ets/cuda/cauchy_cuda.cuh"

ETS_CAUCHY_KERNELS();
