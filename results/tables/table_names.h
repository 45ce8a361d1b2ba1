// Names in the request for a table that no run has, and what was meant.
#pragma once

#include <string>
#include <vector>

#include "results/tables/table.h"

namespace results {

// A misspelt parameter would make one row of all runs. Throws std::invalid_argument.
void check_names(const Database& database, const Roles& roles, const TableSpec& spec);

// "; did you mean 'valid.ppl'?", or the `metrics` that there are.
std::string meant_value(const Database& database, const TableSpec& spec, const std::string& name,
                        const std::vector<std::string>& metrics);

}  // namespace results
