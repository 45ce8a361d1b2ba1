// Prints the page of `lcsm status`.
#pragma once

#include <string>

#include "runner/base/text/terminal.h"
#include "runner/front/panel/model.h"

namespace runner {

std::string status_page(const PanelModel& model, const Terminal& terminal);
std::string status_json(const PanelModel& model);  // schema lcsm.status/1

}  // namespace runner
