// What the cluster does for a workspace, in a line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/cluster/slurm/look_timer.h"
#include "runner/cluster/slurm/submitted.h"

namespace runner {

class ClusterWatch {
 public:
  explicit ClusterWatch(std::filesystem::path workspace) : workspace_(std::move(workspace)) {}

  // "job 123: 8 running, 2 waiting: the account's limit of GPUs is reached"; "" if no element is in
  // the queue. Asks Slurm at most every few seconds, and where nothing was submitted never; while
  // Slurm does not answer, the last text stays, with the reason.
  const std::string& text(double now);

 private:
  std::filesystem::path workspace_;
  LookTimer timer_{0};
  std::string text_;
};

std::string jobs_text(const std::vector<std::string>& jobs);  // "job 123", "jobs 123, 124"
// "8 running, 2 waiting: ...".
std::string elements_text(const ElementCounts& counts);

// What a run that does not train waits for, by its submission; empty if no element in the queue has
// it. One thing a line. Asks for the limits of its account. Throws SlurmError.
std::vector<std::string> why_it_waits(const std::filesystem::path& workspace,
                                      const std::string& id);

// Elements that wait and have no run left to train leave the queue; those that run end by
// themselves. `over`: runs that are done or cancelled. Returns the jobs. Throws SlurmError.
std::vector<std::string> release_jobs(const std::filesystem::path& workspace,
                                      const std::set<std::string>& over);

}  // namespace runner
