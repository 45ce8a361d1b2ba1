// Builds the first line of a run's event file from its configuration.
#pragma once

#include "results/events/event.h"
#include "runner/config/run/run_id.h"

namespace runner {

inline results::Values parameter_values(const RunConfig& config) {
  results::Values values;
  for (const auto& [name, given] : parameters_of(config))
    std::visit([&, &key = name](const auto& value) { values[key] = value; }, given);
  return values;
}

inline results::RunLine run_line(const RunConfig& config) {
  return {run_id(config), canonical_json(config), parameter_values(config)};
}

}  // namespace runner
