// Tokenizes a data set of texts in bytes as the run asks: once, into data/tokens of the workspace.
#pragma once

#include <filesystem>
#include <vector>

#include "runner/config/run/run_config.h"
#include "runner/data/tasks/data_search.h"

namespace runner {

// The run's data set by split, in tokens where task.tokens says which; otherwise set_files. The two
// texts of a pair are one sequence with a separator between them. Throws DataMissing.
std::vector<FilePart> token_set_files(const RunConfig& config,
                                      const std::filesystem::path& workspace);

}  // namespace runner
