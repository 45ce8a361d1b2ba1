// Caches the facts about data while the points of a sweep are resolved: each task's data is read
// once, however many points train on it.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>

#include "runner/config/run/run_config.h"

namespace runner {

// The task's values as text: points with equal texts have the same data.
std::string task_text(const RunConfig& config);

class DataPins {
 public:
  explicit DataPins(std::filesystem::path workspace) : workspace_(std::move(workspace)) {}

  // Like pin_data of own_data.h; throws std::logic_error without a workspace.
  void pin(RunConfig& config);

 private:
  struct Known {
    std::string content;
    std::int64_t classes = 0;
  };
  std::filesystem::path workspace_;
  std::unordered_map<std::string, Known> known_;  // by task_text
};

}  // namespace runner
