// Describes a workspace's jobs on the cluster in one line.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "runner/cluster/slurm/submitted.h"
#include "runner/cluster/submission/look_timer.h"

namespace runner {

class ClusterWatch {
 public:
  explicit ClusterWatch(std::filesystem::path workspace) : workspace_(std::move(workspace)) {}

  // Returns "job 123: 8 running, 2 waiting: the account's limit of GPUs is reached", or "" if no
  // array task is in the queue. Queries Slurm at most every few seconds, and never if nothing was
  // submitted. While Slurm does not answer, returns the last text and the reason.
  const std::string& text(double now);

 private:
  std::filesystem::path workspace_;
  LookTimer timer_{0};
  std::string text_;
};

std::string jobs_text(const std::vector<std::string>& jobs);  // "job 123", "jobs 123, 124"
// "8 running, 2 waiting: ...".
std::string elements_text(const ElementCounts& counts);

// The reasons why a submitted run is pending, one per line; empty if no queued array task has the
// run. Queries the limits of the account. Throws SlurmError.
std::vector<std::string> why_it_waits(const std::filesystem::path& workspace,
                                      const std::string& id);

// Cancels pending array tasks that have no run left to train; running tasks end by themselves.
// `over`: runs that are done or cancelled. Returns the jobs. Throws SlurmError.
std::vector<std::string> release_jobs(const std::filesystem::path& workspace,
                                      const std::set<std::string>& over);

}  // namespace runner
