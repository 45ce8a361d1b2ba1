// Turns a user's own data into a data set, once per content and settings.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>

#include "runner/config/run/run_config.h"
#include "runner/data/own/start_run.h"

namespace runner {

// Records the identity of the run's data in task.content (for a user's own data also task.classes),
// and of the weights that it starts from (start_run.h). Prepares a user's data first if necessary.
// Throws DataMissing, also for damaged data; IntakeError, lcsm::WriteError, and
// std::invalid_argument if the configuration contradicts the data.
void pin_data(RunConfig& config, const std::filesystem::path& workspace);

// The task's values as text: points with equal texts have equal data.
std::string task_text(const RunConfig& config);

// Caches facts about data while the points of a sweep are resolved, so that each task's data is
// read once.
class DataPins {
 public:
  explicit DataPins(std::filesystem::path workspace)
      : workspace_(std::move(workspace)), starts_(workspace_) {}

  // Like pin_data; throws std::logic_error without a workspace.
  void pin(RunConfig& config);

 private:
  void pin_task(RunConfig& config);

  struct Known {
    std::string content;
    std::int64_t classes = 0;
  };
  std::filesystem::path workspace_;
  StartRuns starts_;
  std::unordered_map<std::string, Known> known_;  // by task_text
};

}  // namespace runner
