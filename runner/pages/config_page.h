// What `lcsm config` prints.
#pragma once

#include <string>

#include "runner/config/run_config.h"
#include "runner/text/terminal.h"

namespace runner {

std::string keys_page(const Terminal& terminal);
std::string keys_json();
std::string config_page(const RunConfig& config, const Terminal& terminal);
std::string config_json(const RunConfig& config);

}  // namespace runner
