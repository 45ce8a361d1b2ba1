#include "runner/cluster/hosts/host.h"

#include <algorithm>
#include <stdexcept>

#include "results/events/run_folder.h"
#include "runner/base/files/toml_file.h"
#include "runner/cluster/slurm/named_tables.h"
#include "runner/cluster/slurm/profile_search.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHostsFile = "hosts.toml";

TrainingHost host_of(NamedTable& table) {
  TrainingHost host;
  host.name = host.ssh = table.name();
  table.read_word("ssh", &host.ssh);
  table.read_word("workspace", &host.workspace);
  table.read_number("jobs", &host.jobs);
  table.read_word("gpus", &host.gpus);
  if (!results::is_sweep_name(host.name))
    table.note(
        "a host's name must consist of letters, digits, '.', '_' and '-': give its address as "
        "ssh = \"...\"");
  if (host.ssh.starts_with('-'))
    table.note("'ssh' must be a name or USER@NAME: options belong in ~/.ssh/config");
  if (!host.workspace.empty() && !host.workspace.starts_with('/'))
    table.note("'workspace' must be an absolute path: workspace = \"/scratch/ada/lcsm\"");
  return host;
}

}  // namespace

std::vector<TrainingHost> parse_hosts(std::string_view text, const std::string& path) {
  std::vector<TrainingHost> hosts;
  read_named_tables(text, path, {"host", "[NAME] and workspace = \"/path/there\""},
                    [&](NamedTable& table) { hosts.push_back(host_of(table)); });
  return hosts;
}

std::vector<TrainingHost> find_hosts(const fs::path& sweep_file, const fs::path& workspace) {
  std::string list;
  for (const fs::path& place : configuration_places(sweep_file, workspace, kHostsFile)) {
    if (!fs::exists(place)) {
      list += (list.empty() ? "" : ", ") + place.string();
      continue;
    }
    std::vector<TrainingHost> hosts = parse_hosts(read_toml_file(place.string()), place.string());
    for (TrainingHost& host : hosts)
      if (host.workspace.empty()) host.workspace = fs::absolute(workspace).string();
    return hosts;
  }
  throw std::runtime_error("expected a list of hosts in one of " + list +
                           ", got none: write [NAME] for each, and workspace = \"/path/there\"");
}

int slots_of(const std::vector<TrainingHost>& hosts, std::int64_t jobs) {
  std::int64_t slots = 0;
  for (const TrainingHost& host : hosts)
    slots += host.jobs > 0 ? host.jobs : std::max<std::int64_t>(1, jobs);
  return static_cast<int>(std::min<std::int64_t>(4096, slots));
}

}  // namespace runner
