// Caches what squeue listed a few seconds ago, in the workspace. So any number of `lcsm watch` and
// `lcsm status` processes on a host query slurmctld as often as one.
#pragma once

#include <filesystem>
#include <vector>

#include "runner/cluster/slurm/job_rows.h"

namespace runner {

inline constexpr double kRecent = 5;  // seconds

// Throws SlurmError.
std::vector<JobRow> recent_jobs(const std::filesystem::path& workspace);

// Clears the cache, since jobs were submitted or cancelled.
void forget_recent_jobs(const std::filesystem::path& workspace);

}  // namespace runner
