// Caches what squeue listed a few seconds ago, in the workspace. However many `lcsm watch` and
// `lcsm status` run on a host, they ask slurmctld as often as one would.
#pragma once

#include <filesystem>
#include <vector>

#include "runner/cluster/slurm/job_rows.h"

namespace runner {

inline constexpr double kRecent = 5;  // seconds

// Throws SlurmError.
std::vector<JobRow> recent_jobs(const std::filesystem::path& workspace);

// Makes the next look ask squeue, since jobs were submitted or cancelled.
void forget_recent_jobs(const std::filesystem::path& workspace);

}  // namespace runner
