// A sweep file's [[table]].
#pragma once

#include <toml++/toml.h>

#include "results/tables/table.h"
#include "runner/config/config_mistakes.h"

namespace runner {

// The sweep is left to the caller.
results::TableSpec read_table_block(const toml::table& block, int source, Mistakes& mistakes);

}  // namespace runner
