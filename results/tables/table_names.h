// Rejects names in a table's spec that no run has, with a suggestion.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "results/tables/table.h"

namespace results {

// Without this check, a misspelled parameter would put all runs into one row. Throws
// std::invalid_argument.
void check_names(const Database& database, const Roles& roles, const TableSpec& spec);

// "; did you mean 'valid.ppl'?", or a list of `metrics`.
std::string meant_value(const Database& database, const TableSpec& spec, const std::string& name,
                        const std::vector<std::string>& metrics);

// "; these runs have 1, 2", a list of `values`, or "; a list is written [1,2]".
std::string meant_values(const std::string& value, const std::set<std::string>& values);

}  // namespace results
