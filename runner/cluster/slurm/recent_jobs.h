// What squeue listed some seconds ago, kept in the workspace: however many `lcsm watch` and
// `lcsm status` look at it on a host, they ask slurmctld as often as one would.
#pragma once

#include <filesystem>
#include <vector>

#include "runner/cluster/slurm/job_rows.h"

namespace runner {

inline constexpr double kRecent = 5;  // seconds

// Throws SlurmError.
std::vector<JobRow> recent_jobs(const std::filesystem::path& workspace);

// The next look asks squeue: jobs were submitted or cancelled.
void forget_recent_jobs(const std::filesystem::path& workspace);

}  // namespace runner
