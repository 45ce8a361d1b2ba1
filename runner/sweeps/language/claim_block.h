// Reads [[claim]] blocks of a sweep file.
#pragma once

#include "results/tables/claim.h"
#include "runner/config/toml/config_mistakes.h"
#include "runner/config/toml/toml_names.h"

namespace runner {

// The caller sets the sweep.
results::ClaimSpec read_claim_block(const toml::table& block, int source, Mistakes& mistakes);

}  // namespace runner
