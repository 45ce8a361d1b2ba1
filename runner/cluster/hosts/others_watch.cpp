#include "runner/cluster/hosts/others_watch.h"

#include <set>
#include <stdexcept>

#include "runner/cluster/hosts/parts.h"

namespace runner {
namespace {

std::string hosts_text(const std::filesystem::path& workspace) {
  std::set<std::string> names;
  try {
    for (const HostPart& part : open_parts(workspace))
      for (const TrainingHost& host : part.hosts) names.insert(host.name);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return names.empty() ? "" : (names.size() == 1 ? "host " : "hosts ") + text;
}

}  // namespace

std::string OthersWatch::text(double now) {
  const std::string cluster = cluster_.text(now), hosts = hosts_text(workspace_);
  return cluster + (cluster.empty() || hosts.empty() ? "" : "; ") + hosts;
}

}  // namespace runner
