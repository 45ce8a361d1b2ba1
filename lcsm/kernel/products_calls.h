// What the sum of many modes launches, by products over chunks: a pass for each direction and every
// 32 complex modes or 64 real ones of it. kernel/modes_calls.h says when.
#pragma once

#include "lcsm/kernel/modes_calls.h"
#include "lcsm/modes/products_cuda.h"

namespace lcsm {

std::vector<KernelCall> products_forward_calls(const ModesWork& work, const Allocate& allocate);
std::vector<KernelCall> products_backward_calls(const ModesWork& work, const Allocate& allocate);

}  // namespace lcsm
