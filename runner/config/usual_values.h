// The defaults of the keys for each task.
#pragma once

#include <optional>
#include <vector>

#include "runner/config/config_value.h"
#include "runner/config/task_rows.h"

namespace runner {

// Those of the keys, overridden by those of the task.
struct UsualValues {
  std::vector<std::optional<Value>> values;
  std::vector<bool> of_task;
};

// None: no task is named. Computed once per task, since planning a sweep resolves thousands of
// points.
const UsualValues& usual_of(const TaskRow* task);

// The default of a key for a task: that of the task, else of the key. `task` may be null.
const std::optional<Value>& usual_value(int key, const TaskRow* task);

}  // namespace runner
