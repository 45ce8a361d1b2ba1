// Who trains for a workspace after its `lcsm run` has ended, in a line: a cluster, hosts over ssh.
#pragma once

#include <filesystem>
#include <string>

#include "runner/cluster/slurm/cluster_watch.h"

namespace runner {

class OthersWatch {
 public:
  explicit OthersWatch(std::filesystem::path workspace)
      : workspace_(std::move(workspace)), cluster_(workspace_) {}

  // "job 123: 8 running", "hosts abacus, basil"; "" if nobody does. Hosts are not asked: it is what
  // the last `lcsm run --on hosts` saw.
  std::string text(double now);

 private:
  std::filesystem::path workspace_;
  ClusterWatch cluster_;
};

}  // namespace runner
