// A table for people, on a terminal or in a pipe.
#pragma once

#include <string>

#include "results/tables/table.h"
#include "runner/text/terminal.h"

namespace runner {

// Title, aligned columns, notes, claims; on a terminal too narrow columns are left out, and named.
std::string table_text(const results::Table& table, const Terminal& terminal);

}  // namespace runner
