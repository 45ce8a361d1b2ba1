// Writes run folders for configurations, as if they had been trained.
#pragma once

#include <filesystem>
#include <string>

#include "runner/config/run/run_config.h"

namespace runner {

struct MeasuredRun {
  std::int64_t steps = 100;
  double seconds = 10;
  std::string status = "done";  // "" leaves the attempt open
  std::string host = "here";
  std::int64_t from_step = 0;  // of the run's last attempt, which ended there
};

// Writes it below `workspace` under its own id, which is returned.
std::string write_measured(const std::filesystem::path& workspace, const RunConfig& config,
                           const MeasuredRun& run);

}  // namespace runner
