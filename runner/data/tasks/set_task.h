// The tasks that read data sets in files of ours (runner/data/README.md).
#pragma once

#include <filesystem>
#include <vector>

#include "runner/config/run/run_config.h"
#include "runner/data/tasks/set_rows.h"
#include "runner/data/tasks/task.h"

namespace runner {

bool reads_set(const RunConfig& config);
const SetRow& set_row(const RunConfig& config);

// Whether the data are a user's own: prepared by own/own_data from what task.path names.
bool is_own_set(const RunConfig& config);

// The folder of such data once task.content is known: another one for each content and reading.
std::string own_set_name(const RunConfig& config);

// For the rows of tasks/task.cpp.
TaskCount set_vocabulary(const RunConfig& config);
TaskCount set_examples(const RunConfig& config, Split split);
std::int64_t set_scored(const RunConfig& config);
std::vector<FilePart> set_files(const RunConfig& config, const std::filesystem::path& workspace);
void require_set(const RunConfig& config, const std::filesystem::path& workspace);

}  // namespace runner
