// What the data of a sweep's points are, read once for each task however many points train on it.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>

#include "runner/config/run/run_config.h"

namespace runner {

// The values of a task: points with the same ones have the same data.
std::string task_text(const RunConfig& config);

class DataPins {
 public:
  explicit DataPins(std::filesystem::path workspace) : workspace_(std::move(workspace)) {}

  // As pin_data of own_data.h; std::logic_error without a workspace.
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
