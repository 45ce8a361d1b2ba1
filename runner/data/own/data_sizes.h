// Counts a task's data from the headers of its files alone.
#pragma once

#include <array>
#include <filesystem>
#include <optional>

#include "runner/config/run/run_config.h"

namespace runner {

struct DataSizes {
  std::array<std::int64_t, 3> examples{};  // by split
  double mean_length = 0;                  // of a sequence to train on, in steps
};

// nullopt if the task reads no data set, or if its data set is missing or damaged.
std::optional<DataSizes> data_sizes(const RunConfig& config,
                                    const std::filesystem::path& workspace);

}  // namespace runner
