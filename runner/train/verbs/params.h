// The names of tensors that `lcsm-train params` prints and `apply` takes.
#pragma once

#include <cstdint>
#include <vector>

#include "lcsm/code/variant.h"
#include "runner/systems/system.h"

namespace runner {

// The tensors of one layer of a named system, without norms: "mixer.NAME", for the feed-forward
// "feed.NAME", for tensors that all layers share "shared.mixer.NAME".
std::vector<lcsm::Parameter> parameters_of(const System& system, std::int64_t d);

}  // namespace runner
