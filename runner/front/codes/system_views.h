// The views of `lcsm systems`.
#pragma once

#include <span>
#include <string>

#include "runner/base/text/terminal.h"
#include "runner/systems/system.h"

namespace runner {

struct SystemSizes {
  std::int64_t d = 512, T = 1024;
};

// Shows one system in full.
std::string page(const System& system, const SystemSizes& sizes);
// A few systems side by side: their equations, their LCSM readings, their costs.
std::string comparison(std::span<const System> systems, const SystemSizes& sizes,
                       const Terminal& terminal);
// Lists systems, one row each.
std::string overview(std::span<const System> systems, const SystemSizes& sizes,
                     const Terminal& terminal);
// {"schema": "lcsm.systems/1", "d": ..., "length": ..., "systems": [...]}
std::string systems_json(std::span<const System> systems, const SystemSizes& sizes);

}  // namespace runner
