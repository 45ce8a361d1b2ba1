// Submits runs as job arrays, each array exactly once, even if this process is killed at any point
// and called again.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "runner/cluster/slurm/cluster_limits.h"
#include "runner/cluster/slurm/profile.h"
#include "runner/cluster/slurm/submitted.h"
#include "runner/cluster/submission/submission.h"

namespace runner {

// The submissions of a workspace, and the queue.
struct ClusterQueue {
  std::vector<JobRow> rows;
  std::vector<Submitted> submitted;

  // Ids of the runs that queued array tasks train.
  std::set<std::string> runs(const std::filesystem::path& workspace) const;
  ElementCounts elements() const;  // of all submissions
};

// Calls squeue once; not at all if nothing was submitted. With `settle`, also records the jobs
// whose numbers were lost, queries sacct for jobs that are not in the queue, and removes
// submissions of which Slurm has no job; only for the `lcsm run` of the workspace. Throws
// SlurmError.
ClusterQueue look_at_cluster(const std::filesystem::path& workspace, bool settle = false);

// Writes the submission and submits its arrays. If the first array is refused, removes the
// submission. If a later array is refused, `said` gets the reason and the earlier arrays train all
// runs. Throws SlurmError.
Submitted submit(const std::filesystem::path& workspace, const Submission& submission,
                 const SlurmProfile& profile, const std::vector<std::int64_t>& arrays,
                 const std::function<void(const std::string& text)>& said);

// Submits the arrays that an earlier `submit` left without a job, in submissions of this profile
// with a run of `wanted`, and calls `done` for each. Returns the runs of these submissions.
std::set<std::string> submit_rest(const std::filesystem::path& workspace,
                                  const SlurmProfile& profile, const std::set<std::string>& wanted,
                                  std::vector<Submitted>* submitted,
                                  const std::function<void(const Submitted& submitted)>& done);

}  // namespace runner
