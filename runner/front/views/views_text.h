// Renders a sweep's tables, claims and figures as text for a terminal.
#pragma once

#include <string>

#include "results/store/database.h"
#include "runner/base/text/terminal.h"
#include "runner/sweeps/language/views.h"

namespace runner {

// Tables, claims and figures in order, each followed by an empty line.
std::string views_text(results::Database& database, const SweepViews& views,
                       const Terminal& terminal);

}  // namespace runner
