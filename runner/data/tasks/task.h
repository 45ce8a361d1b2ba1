// A task without its tensors, by its reader: what is known of its examples, and where its data is.
// All but the last two functions work before the data is there. To add a task:
// runner/data/README.md.
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
  bool exact = true;  // false: an estimate of what only the data determines
};

struct Task {
  std::string_view name;  // TaskRow::reader
  TaskCount (*vocabulary)(const RunConfig& config);
  TaskCount (*examples)(const RunConfig& config, Split split);
  std::int64_t (*scored)(const RunConfig& config);  // predictions in an example

  // The files that it reads, in a fixed order; none for a generated task. Throws DataMissing.
  std::vector<FilePart> (*files)(const RunConfig& config, const std::filesystem::path& workspace);

  // Throws DataMissing unless all data of the run is there; reads none of it.
  void (*require)(const RunConfig& config, const std::filesystem::path& workspace);
};

const Task& task_of(const RunConfig& config);

// Sets task.content if the task is identified by the content of its files; own/own_data.h does it
// for all tasks. Throws DataMissing, and std::invalid_argument if the configuration names another
// content than the files have.
void pin_content(RunConfig& config, const std::filesystem::path& workspace);

// Sets task.content; throws std::invalid_argument if the configuration has another content.
void set_found_content(RunConfig& config, const std::string& found);

}  // namespace runner
