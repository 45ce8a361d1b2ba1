// A sweep's table as the command line changes it.
#pragma once

#include "results/tables/table.h"

namespace runner {

// Options on the command line override the table; all else stays. "" as a list's only name stands
// for the default.
void change_table(const results::TableSpec& given, results::TableSpec* spec);

}  // namespace runner
