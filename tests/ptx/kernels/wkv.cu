// The weighted mean of RWKV-4.
#include "lcsm/cuda/wkv/wkv_cuda.cuh"

LCSM_WKV_float32();
LCSM_WKV_bfloat16();
LCSM_WKV();
