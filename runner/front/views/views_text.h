// A sweep's tables, claims and figures as text for a terminal.
#pragma once

#include <string>

#include "results/store/database.h"
#include "runner/base/text/terminal.h"
#include "runner/sweeps/language/views.h"

namespace runner {

// In order, an empty line after each.
std::string views_text(results::Database& database, const SweepViews& views,
                       const Terminal& terminal);

}  // namespace runner
