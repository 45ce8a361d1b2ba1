// The machines that there are on a GPU.
#pragma once

#include "lcsm/code/plan.h"

namespace lcsm {

// Which one computes a plan: the plan's own, or the fused scan where its kernels take fewer rows.
// Throws std::invalid_argument with a sentence where there is none.
Machine cuda_machine_of(const Variant& variant, const Plan& plan);

}  // namespace lcsm
