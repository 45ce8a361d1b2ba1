// The roles that keys of a configuration play in tables and figures.
#pragma once

#include "results/tables/roles.h"

namespace runner {

// What `lcsm eval` may change of a model: how many steps attention within chunks sees.
inline constexpr std::string_view kEvaluatedChunk = "system.chunk";

extern const results::Roles kRoles;

}  // namespace runner
