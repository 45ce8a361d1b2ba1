// Chooses the launches of the sum of many modes, by products over chunks: one pass per direction
// and every 32 complex or 64 real modes. lcsm/cuda/modes/modes_calls.h decides when.
#pragma once

#include "lcsm/cuda/modes/modes_calls.h"
#include "lcsm/cuda/modes/products_cuda.h"

namespace lcsm {

std::vector<KernelCall> products_forward_calls(const ModesWork& work, const Allocate& allocate);
std::vector<KernelCall> products_backward_calls(const ModesWork& work, const Allocate& allocate);

}  // namespace lcsm
