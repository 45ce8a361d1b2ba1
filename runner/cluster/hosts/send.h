// Gives runs to hosts, looks after them, and brings back what they have trained. Each element is
// started once, also if this is killed at any point and asked again.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "runner/cluster/hosts/host_calls.h"
#include "runner/cluster/hosts/parts.h"
#include "runner/cluster/slurm/submission.h"

namespace runner {

using Said = std::function<void(const std::string& text)>;

struct HostsLook {
  std::vector<HostPart> open;          // those that still train, or may
  std::vector<std::string> running;    // names of hosts
  std::vector<std::string> unreached;  // likewise
  std::set<std::string> runs;          // of the open parts
};

// One call of ssh for each host of an open part, and of rsync where it has a workspace of its own.
// Starts elements that were never started; closes parts whose hosts have all ended, or are not
// among `hosts` any more.
HostsLook look_at_hosts(const std::filesystem::path& workspace,
                        const std::vector<TrainingHost>& hosts, const Said& said);

// A host that can take runs now, and how many it trains at a time.
struct ReadyHost {
  TrainingHost host;
  double at_once = 1;
  bool shared = false;
};

// One call of ssh for each host. Those that cannot are said.
std::vector<ReadyHost> ready_hosts(const std::filesystem::path& workspace,
                                   const std::vector<TrainingHost>& hosts, const Said& said);

// Submissions for these hosts: one for all that share this workspace, one for each other. `whole`:
// its token is a beginning, its runs are shared out. Returns the parts that were started; what
// could not be started is said and left as it was.
std::vector<HostPart> send_to_hosts(const std::filesystem::path& workspace, const Submission& whole,
                                    const std::vector<ReadyHost>& hosts, const Said& said);

}  // namespace runner
