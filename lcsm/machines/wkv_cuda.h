// The weighted mean of RWKV-4 on a GPU; cuda/wkv/wkv_calls.h says what it launches.
#pragma once

#include <memory>

#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/machines/wkv.h"

namespace lcsm {

// Like wkv, with k and v float32 or bfloat16 and y of their type; all else is float32.
WkvResult wkv_cuda(std::shared_ptr<Gpu> gpu, const WkvInputs& inputs);

}  // namespace lcsm
