// Renders a table as text, for a terminal or a pipe.
#pragma once

#include <string>

#include "results/tables/table.h"
#include "runner/base/text/terminal.h"

namespace runner {

// Title, aligned columns, notes, claims. Columns that do not fit a terminal are left out and named.
std::string table_text(const results::Table& table, const Terminal& terminal);

}  // namespace runner
