// A table's marks as sentences.
#pragma once

#include <string>
#include <vector>

#include "results/tables/table.h"

namespace results {

// Writes one sentence for each set of compared rows in a column: "test.accuracy: 1-3-1-2 is best;
// significantly worse: 1-10-1-2." Empty where nothing is marked.
std::vector<std::string> findings(const Table& table);

}  // namespace results
