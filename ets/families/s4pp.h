// The filter inside S4++.
#pragma once

#include "ets/families/family.h"

namespace ets {

// S4+, "filter." of the whole.
lcsm::Block s4pp_filter(const lcsm::Block& whole);

}  // namespace ets
