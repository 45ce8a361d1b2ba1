#include "runner/cluster/hosts/parts.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "results/events/event_file.h"
#include "results/events/run_folder.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/process_facts.h"
#include "runner/base/process/steady_time.h"
#include "runner/cluster/submission/submission.h"
#include "runner/workspace/claim_watch.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kPartSchema = "lcsm.hosts/1";
constexpr const char* kPartFile = "hosts.json";
constexpr double kForEver = 1e10;  // seconds

HostPart read_part(const fs::path& folder) {
  const Json json = read_json_file(folder / kPartFile);
  try {
    if (json.at("schema") != kPartSchema) throw std::runtime_error("");
    HostPart part{folder.filename(), json.at("sweep"), json.at("shared"), {},
                  json.at("over"),   json.at("by"),    json.at("time")};
    for (const Json& host : json.at("hosts")) {
      part.hosts.push_back({host.at("name"), host.at("ssh"), host.at("workspace"), host.at("jobs"),
                            host.at("gpus")});
      if (!wrong_with(part.hosts.back()).empty()) throw std::runtime_error("");
    }
    return part;
  } catch (const std::exception&) {
    throw std::runtime_error("expected hosts of schema " + std::string(kPartSchema) + " in " +
                             (folder / kPartFile).string() +
                             ", got something else: move that folder away");
  }
}

bool is_claim_of(const Claim& claim, const HostPart& part) {
  return claim.submission == part.token && claim.silence >= kForEver;
}

bool claim_one(const fs::path& folder, const HostPart& part, ClaimWatch* watch) {
  const auto newest = read_claim(folder, newest_claim(folder));
  if (newest && is_claim_of(*newest, part)) return true;
  std::int64_t judged = 0;
  if (watch->look(folder, steady_seconds(), &judged) != ClaimLife::kFree ||
      results::events_are_being_written(folder))
    return false;
  Claim wish{.submission = part.token, .silence = kForEver};
  wish.owner.node = part.hosts.front().name;
  wish.owner.by = part.hosts.front().ssh;
  wish.owner.since = utc_now();
  return make_claim(folder, wish, /*own_segment=*/true, judged).has_value();
}

}  // namespace

void write_part(const fs::path& workspace, const HostPart& part) {
  Json json = {{"schema", kPartSchema}, {"sweep", part.sweep}, {"shared", part.shared},
               {"over", part.over},     {"by", part.by},       {"time", part.time},
               {"hosts", Json::array()}};
  for (const TrainingHost& host : part.hosts)
    json["hosts"].push_back({{"name", host.name},
                             {"ssh", host.ssh},
                             {"workspace", host.workspace},
                             {"jobs", host.jobs},
                             {"gpus", host.gpus}});
  write_json_file(submission_folder(workspace, part.token) / kPartFile, json);
}

std::vector<HostPart> open_parts(const fs::path& workspace) {
  std::vector<HostPart> parts;
  for (const fs::directory_entry& entry : results::entries_of(workspace / kSubmissionsFolder))
    if (results::is_sweep_name(entry.path().filename().string()) &&
        fs::exists(entry.path() / kPartFile))
      parts.push_back(read_part(entry.path()));
  std::erase_if(parts, [](const HostPart& part) { return part.over; });
  std::ranges::sort(parts, {},
                    [](const HostPart& part) { return std::pair(part.time, part.token); });
  return parts;
}

bool is_free(const fs::path& workspace, const std::string& id) {
  const fs::path folder = results::run_folder(workspace, id);
  return who_may_train(folder).empty() && !results::events_are_being_written(folder);
}

std::vector<std::string> claim_for_host(const fs::path& workspace, const HostPart& part,
                                        const std::vector<std::string>& ids) {
  ClaimWatch watch;
  std::vector<std::string> claimed;
  for (const std::string& id : ids)
    if (claim_one(results::run_folder(workspace, id), part, &watch)) claimed.push_back(id);
  return claimed;
}

void close_part(const fs::path& workspace, HostPart part) {
  if (!part.shared)
    for (const std::string& id : submitted_runs(workspace, part.token)) {
      const fs::path folder = results::run_folder(workspace, id);
      const auto newest = read_claim(folder, newest_claim(folder));
      if (newest && is_claim_of(*newest, part))
        end_claim(folder, newest->number, results::RunState::kInterrupted);
    }
  part.over = true;
  write_part(workspace, part);
}

}  // namespace runner
