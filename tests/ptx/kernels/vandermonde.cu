// Kernels that are sums of modes.
#include "ets/cuda/vandermonde_cuda.cuh"

ETS_VANDERMONDE_KERNELS();
