// What a task is to everything but tensors: a row of functions for each row of task_rows.h, that
// can be asked before the task's data is read, or there. To add a task: runner/README.md, Tasks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "runner/config/run_config.h"
#include "runner/tasks/data_search.h"
#include "runner/tasks/split.h"

namespace runner {

struct Count {
  std::int64_t value = 0;
  bool exact = true;  // false: an estimate, of what only the data tells
};

struct Task {
  std::string_view name;  // as in task_rows.h
  Count (*vocabulary)(const RunConfig& config);
  Count (*examples)(const RunConfig& config, Split split);
  std::int64_t (*scored)(const RunConfig& config);  // predictions in an example

  // What it reads, in an order that stays; of a made task nothing. Throws DataMissing.
  std::vector<FilePart> (*files)(const RunConfig& config, const std::filesystem::path& workspace);
};

const Task& task_of(const RunConfig& config);

// Of a task that is known by what its files hold: task.content as found. Throws DataMissing, and
// std::invalid_argument when the configuration names other content than the files have.
void pin_content(RunConfig& config, const std::filesystem::path& workspace);

}  // namespace runner
