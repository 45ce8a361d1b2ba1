// The roles that keys of a configuration play in tables and figures.
#pragma once

#include "results/tables/roles.h"

namespace runner {

extern const results::Roles kRoles;

}  // namespace runner
