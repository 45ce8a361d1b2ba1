// The roles that keys of a configuration play in tables and figures.
#pragma once

#include "results/tables/roles.h"

namespace runner {

// The model option that `lcsm eval` may change: the number of steps that attention within chunks
// sees.
inline constexpr std::string_view kEvaluatedChunk = "system.chunk";

extern const results::Roles kRoles;

}  // namespace runner
