// Declares the filter (ets/kernels) and the context (ets/layer) of a family.
#pragma once

#include "lcsm/cuda/driver/gpu_or_cpu.h"

namespace ets {

struct Filter;
struct FilterContext;

}  // namespace ets
