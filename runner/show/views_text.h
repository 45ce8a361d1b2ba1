// What a sweep's file wants to be seen, for people.
#pragma once

#include <string>

#include "results/store/database.h"
#include "runner/sweeps/views.h"
#include "runner/text/terminal.h"

namespace runner {

// Tables, claims, figures, one below the other, an empty line behind each.
std::string views_text(results::Database& database, const SweepViews& views,
                       const Terminal& terminal);

}  // namespace runner
