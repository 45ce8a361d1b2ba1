// Tokenizes a data set of texts in bytes as the run requests: once, into the workspace's
// data/tokens.
#pragma once

#include <filesystem>
#include <vector>

#include "runner/config/run/run_config.h"
#include "runner/data/tasks/data_search.h"

namespace runner {

// The run's data set by split, tokenized if task.tokens is set; otherwise set_files. The two texts
// of a pair become one sequence with a separator. Throws DataMissing.
std::vector<FilePart> token_set_files(const RunConfig& config,
                                      const std::filesystem::path& workspace);

}  // namespace runner
