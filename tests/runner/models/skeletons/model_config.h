// Configurations of small models for tests.
#pragma once

#include <string>
#include <vector>

#include "runner/config/run/run_config.h"

namespace runner {

// A text task; the settings override the defaults.
inline RunConfig model_config(std::vector<std::string> settings) {
  settings.insert(settings.begin(), "task.name=text");
  return parse_config("", "model", settings, [](const std::string&) {});
}

}  // namespace runner
