// The filter inside S4++.
#pragma once

#include "ets/families/family.h"

namespace ets {

// S4+, "filter." of the whole.
Variant s4pp_filter(const Variant& whole);

}  // namespace ets
