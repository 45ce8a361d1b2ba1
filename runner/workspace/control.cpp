#include "runner/workspace/control.h"

#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lcsm/files/whole_file.h"
#include "results/events/run_folder.h"
#include "results/text/number_text.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kControlSchema = "lcsm.control/1";
constexpr const char* kJobsFile = "jobs.json";
constexpr const char* kCancelled = "cancelled";
constexpr const char* kRetry = "retry-";

// The request in a file's name: "ID.cancelled", "ID.retry-1234".
struct Wish {
  std::string id;
  bool cancelled = false;
  std::int64_t bytes = 0;
};

std::optional<Wish> wish_of(const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos || !results::is_run_id(name.substr(0, dot))) return std::nullopt;
  Wish wish{name.substr(0, dot)};
  const std::string what = name.substr(dot + 1);
  wish.cancelled = what == kCancelled;
  if (wish.cancelled) return wish;
  if (!what.starts_with(kRetry)) return std::nullopt;
  const auto bytes = results::whole_number_in(what.substr(std::string_view(kRetry).size()));
  if (!bytes) return std::nullopt;
  wish.bytes = *bytes;
  return wish;
}

template <class Visit>
void for_each_wish(const fs::path& workspace, Visit visit) {
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(workspace / kControlFolder, missing))
    if (const auto wish = wish_of(entry.path().filename())) visit(*wish, entry.path());
}

std::int64_t bytes_of(const fs::path& workspace, const std::string& id) {
  return results::event_bytes(results::run_folder(workspace, id));
}

Json signed_json(Json json) {
  json["schema"] = kControlSchema;
  json["by"] = user_at_host();
  json["time"] = utc_now();
  return json;
}

// Writes equal requests. All but the first are hard links to it while the file system allows them,
// so that thousands of runs need two fsyncs and not thousands.
void write(const fs::path& workspace, const std::vector<std::string>& names, Json json) {
  const fs::path folder = workspace / kControlFolder;
  if (lcsm::create_one_folder(folder)) lcsm::sync_folder(workspace);
  json = signed_json(std::move(json));
  fs::path first;
  for (const std::string& name : names) {
    std::error_code failed = std::make_error_code(std::errc::invalid_argument);
    if (!first.empty()) fs::create_hard_link(first, folder / name, failed);
    if (failed && failed != std::errc::file_exists) write_json_file(first = folder / name, json);
  }
  lcsm::sync_folder(folder);
}

bool remove_request(const fs::path& path) {
  lcsm::refuse_links(path.parent_path());
  return fs::remove(path);
}

void remove_durably(const fs::path& workspace, const std::vector<std::string>& names) {
  bool removed = false;
  for (const std::string& name : names)
    removed = remove_request(workspace / kControlFolder / name) || removed;
  if (removed) lcsm::sync_folder(workspace / kControlFolder);
}

std::vector<std::string> cancellations_of(const std::vector<std::string>& ids) {
  std::vector<std::string> names;
  for (const std::string& id : ids) names.push_back(id + "." + kCancelled);
  return names;
}

std::optional<int> read_jobs(const fs::path& file) {
  if (!fs::exists(file)) return std::nullopt;
  Json json = read_json_file(file);
  if (!json.is_object() || json["schema"] != kControlSchema || !json["jobs"].is_number_unsigned() ||
      json["jobs"].get<std::uint64_t>() > kMostJobs)
    throw std::invalid_argument(file.string() + ": expected a JSON object of schema " +
                                kControlSchema + " with 0 to " + std::to_string(kMostJobs) +
                                " as 'jobs', got something else: `lcsm jobs N` rewrites it");
  return json["jobs"].get<int>();
}

}  // namespace

Control read_control(const fs::path& workspace) {
  Control control;
  control.jobs = read_jobs(workspace / kControlFolder / kJobsFile);
  for_each_wish(workspace, [&](const Wish& wish, const fs::path&) {
    if (wish.cancelled)
      control.cancelled.insert(wish.id);
    else
      control.retries[wish.id] = std::max(control.retries[wish.id], wish.bytes);
  });
  return control;
}

void cancel_runs(const fs::path& workspace, const std::vector<std::string>& ids) {
  write(workspace, cancellations_of(ids), Json::object());
}

// A cancellation overrides a retry, so it is removed last.
void retry_runs(const fs::path& workspace, const std::vector<std::string>& ids) {
  std::vector<std::string> names;
  for (const std::string& id : ids)
    names.push_back(id + "." + kRetry + std::to_string(bytes_of(workspace, id)));
  write(workspace, names, Json::object());
  remove_durably(workspace, cancellations_of(ids));
}

void set_jobs(const fs::path& workspace, std::optional<int> jobs) {
  if (jobs)
    write(workspace, {kJobsFile}, {{"jobs", *jobs}});
  else
    remove_durably(workspace, {kJobsFile});
}

bool wants_retry(const Control& control, const fs::path& workspace, const std::string& id) {
  const auto found = control.retries.find(id);
  return found != control.retries.end() && bytes_of(workspace, id) <= found->second;
}

std::string who_wants(const fs::path& workspace, const std::string& id) {
  std::string cancelled, again;
  for_each_wish(workspace, [&](const Wish& wish, const fs::path& path) {
    if (wish.id != id || (!wish.cancelled && bytes_of(workspace, id) > wish.bytes)) return;
    Json json = read_json_file(path);
    const bool good = json.is_object() && json["by"].is_string() && json["time"].is_string();
    const std::string signature =
        good ? " by " + json["by"].get<std::string>() + " at " + json["time"].get<std::string>()
             : "";
    (wish.cancelled ? cancelled : again) =
        (wish.cancelled ? "cancelled" : "retry requested") + signature;
  });
  return cancelled.empty() ? again : cancelled;
}

void forget_retry(const fs::path& workspace, const std::string& id) {
  for_each_wish(workspace, [&](const Wish& wish, const fs::path& path) {
    if (!wish.cancelled && wish.id == id) remove_request(path);
  });
}

// The file's name holds the run's progress, so that a later retry is another file.
void forget_started(const fs::path& workspace) {
  for_each_wish(workspace, [&](const Wish& wish, const fs::path& path) {
    if (!wish.cancelled && bytes_of(workspace, wish.id) > wish.bytes) remove_request(path);
  });
}

ControlWatch::ControlWatch(const fs::path& workspace) : folder_(workspace / kControlFolder) {}

// Two changes within a tick of the file system's clock have the same time, so a recent change is
// checked once more.
bool ControlWatch::changed() {
  struct stat now {};
  const std::int64_t time =
      stat(folder_.c_str(), &now) == 0
          ? std::int64_t{now.st_mtim.tv_sec} * 1'000'000'000 + now.st_mtim.tv_nsec
          : 0;
  const bool same = time == seen_;
  const bool again = same && !sure_;
  sure_ = same;
  seen_ = time;
  return !same || again;
}

}  // namespace runner
