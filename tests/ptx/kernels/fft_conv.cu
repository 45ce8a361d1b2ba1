// Long convolution, around its transforms.
#include "ets/cuda/fft_conv_cuda.cuh"

ETS_FFT_CONV_KERNELS();
