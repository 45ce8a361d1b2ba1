// The names of tensors that `lcsm-train params` prints and `apply` takes.
#pragma once

#include <cstdint>
#include <vector>

#include "lcsm/code/variant.h"
#include "runner/systems/system.h"

namespace runner {

// Of one layer of a named system: "mixer.NAME" and, of what follows it, "feed.NAME", without norms;
// "shared.mixer.NAME" where all layers share one.
std::vector<lcsm::Parameter> parameters_of(const System& system, std::int64_t d);

}  // namespace runner
