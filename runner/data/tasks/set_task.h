// Tasks that read data sets in our file format (runner/data/README.md).
#pragma once

#include <filesystem>
#include <vector>

#include "runner/config/keys/task_row.h"
#include "runner/config/run/run_config.h"
#include "runner/data/tasks/task.h"

namespace runner {

bool reads_set(const RunConfig& config);
const SetFacts& set_facts(const RunConfig& config);

// True for a user's own data, prepared by own/own_data from the files that task.path names.
bool is_own_set(const RunConfig& config);

// True for texts in bytes that own/token_set tokenizes.
bool is_tokenized(const RunConfig& config);

// Bytes of the file per step that the model reads: more than 1 if tokens are words.
double bytes_of_step(const RunConfig& config);

// The estimated mean number of steps of an example, without the data; at most task.length.
double expected_length(const RunConfig& config);

// The folder of a user's own data once task.content is known: one per content and settings.
std::string own_set_name(const RunConfig& config);

// The three files of a data set. Throws DataMissing, with the command of the task's row.
std::vector<FilePart> named_set_files(const RunConfig& config, const std::string& name,
                                      const std::filesystem::path& workspace);

// The command `lcsm data make ...` that task.data_options states for a data set that is in the
// workspace; "" without options or data.
std::string stated_command(const RunConfig& config, const std::filesystem::path& workspace);

// Functions for the rows of tasks/task.cpp.
TaskCount set_vocabulary(const RunConfig& config);
TaskCount set_examples(const RunConfig& config, Split split);
std::int64_t set_scored(const RunConfig& config);
std::vector<FilePart> set_files(const RunConfig& config, const std::filesystem::path& workspace);
void require_set(const RunConfig& config, const std::filesystem::path& workspace);

}  // namespace runner
