#include "runner/cluster/slurm/recent_jobs.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "results/events/event_writer.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/process_facts.h"
#include "runner/cluster/slurm/commands.h"
#include "runner/cluster/submission/submission.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

fs::path file_in(const fs::path& workspace) {
  return workspace / kSubmissionsFolder / ".queue.json";
}

// Reads a listing that this host has written: the clocks of other hosts may differ by minutes.
std::optional<std::string> kept_listing(const fs::path& workspace) {
  const Json kept = read_json_file(file_in(workspace));
  try {
    if (kept.is_object() && kept.at("host") == host_name() &&
        std::abs(results::seconds_since_1970() - kept.at("time").get<double>()) < kRecent)
      return kept.at("listing").get<std::string>();
  } catch (const Json::exception&) {
  }
  return std::nullopt;
}

}  // namespace

std::vector<JobRow> recent_jobs(const fs::path& workspace) {
  if (const auto kept = kept_listing(workspace)) return parse_squeue(*kept);
  const std::string listing = queue_listing();
  try {
    write_json_file(
        file_in(workspace),
        {{"host", host_name()}, {"time", results::seconds_since_1970()}, {"listing", listing}});
  } catch (const std::system_error&) {
    // the workspace is not writable: the next call queries again
  }
  return parse_squeue(listing);
}

void forget_recent_jobs(const fs::path& workspace) {
  std::error_code none;
  fs::remove(file_in(workspace), none);
}

}  // namespace runner
