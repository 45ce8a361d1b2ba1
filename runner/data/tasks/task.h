// A task without its tensors, by its reader: facts about its examples, and the place of its data.
// All but the last two functions work before the data exists. To add a task: runner/data/README.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "runner/base/random/split.h"
#include "runner/config/run/run_config.h"
#include "runner/data/tasks/data_search.h"

namespace runner {

struct TaskCount {
  std::int64_t value = 0;
  bool exact = true;  // false: an estimate; only the data determines the number
};

struct Task {
  std::string_view name;  // TaskRow::reader
  TaskCount (*vocabulary)(const RunConfig& config);
  TaskCount (*examples)(const RunConfig& config, Split split);
  std::int64_t (*scored)(const RunConfig& config);  // predictions in an example

  // The files that the task reads, in a fixed order; none for a generated task. Throws DataMissing.
  std::vector<FilePart> (*files)(const RunConfig& config, const std::filesystem::path& workspace);

  // Throws DataMissing unless all data of the run exists. Does not read the data.
  void (*require)(const RunConfig& config, const std::filesystem::path& workspace);
};

const Task& task_of(const RunConfig& config);

// The hash of the contents of the task's files. Throws DataMissing.
std::string content_of_files(const RunConfig& config, const std::filesystem::path& workspace);

// Sets task.content if the task is identified by the content of its files; own/own_data.h does it
// for all tasks. Throws DataMissing, and std::invalid_argument if the configuration's content
// differs from the files'.
void pin_content(RunConfig& config, const std::filesystem::path& workspace);

// Sets task.content; throws std::invalid_argument if the configuration has another content.
void set_found_content(RunConfig& config, const std::string& found);

}  // namespace runner
