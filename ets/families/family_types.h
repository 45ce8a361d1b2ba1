// What a family is made to: the filter of ets/kernels, and the context of ets/layer.
#pragma once

#include "lcsm/cuda/driver/gpu_or_cpu.h"

namespace ets {

struct Filter;
struct FilterContext;

}  // namespace ets
