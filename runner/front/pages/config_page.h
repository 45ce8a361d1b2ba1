// Prints the page of `lcsm config`.
#pragma once

#include <string>

#include "runner/base/text/terminal.h"
#include "runner/config/run/run_config.h"

namespace runner {

std::string keys_page(const Terminal& terminal);
std::string keys_json();
std::string config_page(const RunConfig& config, const Terminal& terminal);
std::string config_json(const RunConfig& config);

}  // namespace runner
