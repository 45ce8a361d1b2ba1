// A sweep file's [[table]].
#pragma once

#include "results/tables/table.h"
#include "runner/config/config_mistakes.h"
#include "runner/config/toml_names.h"

namespace runner {

// The sweep is left to the caller.
results::TableSpec read_table_block(const toml::table& block, int source, Mistakes& mistakes);

}  // namespace runner
