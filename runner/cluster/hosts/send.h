// Sends runs to hosts, monitors them and fetches their results. Each worker is started once, even
// if this process is killed at any point and called again.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "runner/cluster/hosts/host_calls.h"
#include "runner/cluster/hosts/parts.h"
#include "runner/cluster/submission/hand_over.h"

namespace runner {

struct HostsLook {
  std::vector<HostPart> open;        // parts that train, or may train
  std::vector<std::string> running;  // names of hosts
  std::set<std::string> runs;        // of the open parts
};

// Calls ssh once per host of an open part, and rsync if the host has a workspace of its own. Starts
// workers that were never started; closes parts whose hosts have all ended or are no longer among
// `hosts`.
HostsLook look_at_hosts(const std::filesystem::path& workspace,
                        const std::vector<TrainingHost>& hosts, const Said& said);

// A host that can train now, and its number of runs at a time.
struct ReadyHost {
  TrainingHost host;
  double at_once = 1;
  bool shared = false;
};

// Calls ssh once per host. Hosts that cannot train are reported.
std::vector<ReadyHost> ready_hosts(const std::filesystem::path& workspace,
                                   const std::vector<TrainingHost>& hosts, const Said& said);

// Sends runs to hosts: one submission for all hosts that share this workspace, and one per other
// host. `whole`: the runs to distribute; its token is the prefix of the submissions' tokens.
// Returns the parts that were started; a part that could not be started is reported and keeps its
// state.
std::vector<HostPart> send_to_hosts(const std::filesystem::path& workspace, const Submission& whole,
                                    const std::vector<ReadyHost>& hosts, const Said& said);

}  // namespace runner
