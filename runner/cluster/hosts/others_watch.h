// Says in one line what still trains for a workspace after its `lcsm run` has ended: jobs of a
// cluster, or hosts over ssh.
#pragma once

#include <filesystem>
#include <string>

#include "runner/cluster/slurm/cluster_watch.h"

namespace runner {

class OthersWatch {
 public:
  explicit OthersWatch(std::filesystem::path workspace)
      : workspace_(std::move(workspace)), cluster_(workspace_) {}

  // Returns "job 123: 8 running", "hosts abacus, basil", or "" if nothing trains. Does not ask
  // hosts: it reports what the last `lcsm run --on hosts` saw.
  std::string text(double now);

 private:
  std::filesystem::path workspace_;
  ClusterWatch cluster_;
};

}  // namespace runner
