// What hosts were given to train, as noted in `submissions/TOKEN/hosts.json`: hosts that share this
// workspace a submission together, each other host one of its own.
//
// Claims are files, so hosts without a file system in common have no fence between them. Instead
// the runs are split, and each is claimed here in the name of its host, a claim that does not fall
// silent: no process of this workspace trains it until the part is closed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/cluster/hosts/host.h"

namespace runner {

struct HostPart {
  std::string token, sweep;
  bool shared = false;              // the hosts see this workspace
  std::vector<TrainingHost> hosts;  // one, unless shared
  bool over = false;
  std::string by = {}, time = {};  // "ada@abacus", "2026-01-31T12:00:00Z"
  bool operator==(const HostPart&) const = default;
};

void write_part(const std::filesystem::path& workspace, const HostPart& part);

// All of a workspace that are not over, the oldest first. Throws std::runtime_error that names a
// damaged file.
std::vector<HostPart> open_parts(const std::filesystem::path& workspace);

// Whether nobody is seen to train it, nor may.
bool is_free(const std::filesystem::path& workspace, const std::string& id);

// Of those of `ids` that no process trains now, the ones that are claimed for the host, also by an
// earlier call for this part.
std::vector<std::string> claim_for_host(const std::filesystem::path& workspace,
                                        const HostPart& part, const std::vector<std::string>& ids);

// Nobody trains its runs any more: they may start anywhere.
void close_part(const std::filesystem::path& workspace, HostPart part);

}  // namespace runner
