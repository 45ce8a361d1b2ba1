#include "runner/cluster/hosts/host.h"

#include <algorithm>

#include "results/events/run_folder.h"
#include "runner/cluster/submission/freeze.h"
#include "runner/cluster/submission/named_tables.h"
#include "runner/workspace/control.h"

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
  if (const std::string wrong = wrong_with(host); !wrong.empty()) table.note(wrong);
  return host;
}

}  // namespace

std::string wrong_with(const TrainingHost& host) {
  if (!results::is_sweep_name(host.name))
    return "a host's name must be " + std::string(results::kSweepNameRule) +
           ": give its address as ssh = \"...\"";
  if (host.ssh.empty() || host.ssh.starts_with('-'))
    return "'ssh' must be a name or USER@NAME: options belong in ~/.ssh/config";
  if (!host.workspace.empty() && !host.workspace.starts_with('/'))
    return "'workspace' must be an absolute path: workspace = \"/scratch/ada/lcsm\"";
  if (host.workspace.find_first_of(kNotInLibraryPath) != std::string::npos)
    return "'workspace' must be a path without ':', ';' and '$', at which LD_LIBRARY_PATH is split";
  return "";
}

std::vector<TrainingHost> parse_hosts(std::string_view text, const std::string& path) {
  std::vector<TrainingHost> hosts;
  read_named_tables(text, path, {"host", "[NAME] and workspace = \"/path/there\""},
                    [&](NamedTable& table) { hosts.push_back(host_of(table)); });
  return hosts;
}

std::vector<TrainingHost> find_hosts(const fs::path& sweep_file, const fs::path& workspace) {
  const ConfigurationFile file =
      find_configuration(sweep_file, workspace, kHostsFile, "a list of hosts",
                         "write [NAME] for each, and workspace = \"/path/there\"");
  std::vector<TrainingHost> hosts = parse_hosts(file.text, file.path);
  for (TrainingHost& host : hosts)
    if (host.workspace.empty()) {
      host.workspace = fs::absolute(workspace).string();
      if (const std::string wrong = wrong_with(host); !wrong.empty())
        throw std::invalid_argument(file.path + ": [" + host.name + "] has the workspace " +
                                    host.workspace + ": " + wrong);
    }
  return hosts;
}

int slots_of(const std::vector<TrainingHost>& hosts, std::int64_t jobs) {
  std::int64_t slots = 0;
  for (const TrainingHost& host : hosts)
    slots += host.jobs > 0 ? host.jobs : std::max<std::int64_t>(1, jobs);
  return static_cast<int>(std::min<std::int64_t>(kMostJobs, slots));
}

}  // namespace runner
