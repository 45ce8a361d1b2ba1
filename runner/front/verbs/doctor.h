// `lcsm doctor`: is this host ready for a workspace and its runs?
#pragma once

#include <string>
#include <vector>

#include "runner/base/text/terminal.h"
#include "runner/front/doctor/checks.h"

namespace runner {

// Lines of at most 80 columns.
std::string doctor_text(const std::vector<Check>& checks, const Terminal& terminal);

}  // namespace runner
