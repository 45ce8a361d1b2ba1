// The parts of a sweep that hosts train, as noted in `submissions/TOKEN/hosts.json`. Hosts that
// share this workspace have one submission together, each other host has its own.
//
// Claims are files, so they protect only hosts with a common file system from each other. For the
// others, the runs are split among the hosts, and each run is claimed here in the name of its host.
// Such a claim never goes stale: no process of this workspace trains the run until the part is
// closed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/cluster/hosts/host.h"

namespace runner {

struct HostPart {
  std::string token, sweep;
  bool shared = false;              // the hosts see this workspace
  std::vector<TrainingHost> hosts;  // one host, unless shared
  bool over = false;
  std::string by = {}, time = {};  // "ada@abacus", "2026-01-31T12:00:00Z"
  bool operator==(const HostPart&) const = default;
};

void write_part(const std::filesystem::path& workspace, const HostPart& part);

// Returns all parts of the workspace that are not over, the oldest first. Throws std::runtime_error
// that names a damaged file.
std::vector<HostPart> open_parts(const std::filesystem::path& workspace);

// True if no live process trains this run and none may claim it.
bool is_free(const std::filesystem::path& workspace, const std::string& id);

// Claims for the host all runs of `ids` that no process trains. Returns all runs claimed for the
// host, including by earlier calls for this part.
std::vector<std::string> claim_for_host(const std::filesystem::path& workspace,
                                        const HostPart& part, const std::vector<std::string>& ids);

// Closes a part that no host trains any more, so that its runs may start anywhere.
void close_part(const std::filesystem::path& workspace, HostPart part);

}  // namespace runner
