// The cost of sums of modes.
#pragma once

#include "lcsm/block/mixing.h"

namespace ets {

// The cost of `modes` modes per channel, on the machine that the planner chooses for one sequence
// of `steps` steps.
lcsm::Mixing mixing_of_modes(double steps, std::int64_t directions, std::int64_t modes,
                             bool is_complex, double channels);

}  // namespace ets
