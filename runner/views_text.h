// What a sweep's file wants to be seen, for people.
#pragma once

#include <string>

#include "results/database.h"
#include "runner/sweep_views.h"
#include "runner/terminal.h"

namespace runner {

// Tables, claims, figures, one below the other, an empty line behind each.
std::string views_text(results::Database& database, const SweepViews& views,
                       const Terminal& terminal);

}  // namespace runner
