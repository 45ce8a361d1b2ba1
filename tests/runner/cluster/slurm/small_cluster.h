// A private real Slurm on this host (small_cluster.sh), one CPU per node, stopped at the end.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/runner/fake_sweep.h"

namespace runner {

class SmallCluster {
 public:
  explicit SmallCluster(int nodes, int max_array_size = 101, bool accounted = false);
  ~SmallCluster();
  SmallCluster(const SmallCluster&) = delete;
  SmallCluster& operator=(const SmallCluster&) = delete;

  const std::string& lacking() const { return lacking_; }  // why there is none; "": it runs

  Words environment(Words more = {}) const;                         // for programs that call it
  Ran call(const Words& program) const;                             // "scontrol update ..."
  std::vector<std::string> jobs(const char* states = "all") const;  // "12_3", those in the queue
  bool idle() const { return jobs().empty(); }

  // "controller" or a node's name. Kills it like a host failure, and restarts it.
  void kill_daemon(const std::string& name) const;
  void start_daemon(const std::string& name) const;

 private:
  Ran script(Words words) const;

  ScratchFolder folder_;
  std::string lacking_;
  std::unique_ptr<Background> guard_;
};

// Processes of `program` whose command line contains a path in that folder.
std::vector<pid_t> processes_of(const std::filesystem::path& folder, const std::string& program);

}  // namespace runner
