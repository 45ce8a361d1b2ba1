#include "runner/cluster/slurm/submitted.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "results/events/run_folder.h"
#include "runner/base/files/json_file.h"
#include "runner/cluster/slurm/batch.h"
#include "runner/cluster/submission/submission.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kSubmittedSchema = "lcsm.jobs/1";
constexpr const char* kSubmittedFile = "jobs.json";

bool is_of(const JobRow& row, const Submitted& submitted, std::size_t array) {
  const std::string& job = submitted.arrays[array].job;
  // A controller that lost its newest jobs reuses their numbers, also for other jobs of this user.
  if (!job.empty() && row.id.job != job) return false;
  return row.comment == array_comment(submitted.token, array) ||
         row.name == array_name(submitted.token, array);  // some sites rewrite comments
}

void add(const JobRow& row, ElementCounts* counts) {
  const auto elements =
      row.id.is_array ? static_cast<std::int64_t>(row.id.tasks.size()) : std::int64_t{1};
  if (row.state->phase == JobPhase::kEnded) return;
  if (std::ranges::find(counts->jobs, row.id.job) == counts->jobs.end())
    counts->jobs.push_back(row.id.job);
  counts->account = row.account;
  counts->qos = row.qos;
  if (row.state->phase == JobPhase::kRunning) {
    counts->running += elements;
  } else if (row.state->phase == JobPhase::kWaiting) {
    counts->waiting += elements;
    counts->reason = row.reason;
    counts->start = row.start;
  } else {
    counts->unknown += elements;
  }
}

Submitted read_one(const fs::path& folder) {
  const Json json = read_json_file(folder / kSubmittedFile);
  try {
    if (json.at("schema") != kSubmittedSchema) throw std::runtime_error("");
    Submitted submitted{folder.filename(), json.at("sweep"), json.at("profile"), {},
                        json.at("by"),     json.at("time")};
    for (const Json& array : json.at("arrays"))
      submitted.arrays.push_back({array.at("elements"), array.at("job")});
    return submitted;
  } catch (const std::exception&) {
    throw std::runtime_error("expected jobs of schema " + std::string(kSubmittedSchema) + " in " +
                             (folder / kSubmittedFile).string() +
                             ", got something else: move that folder away");
  }
}

}  // namespace

bool Submitted::complete() const {
  return std::ranges::none_of(arrays, [](const SubmittedArray& each) { return each.job.empty(); });
}

void write_submitted(const fs::path& workspace, const Submitted& submitted) {
  Json json = {{"schema", kSubmittedSchema},   {"sweep", submitted.sweep},
               {"profile", submitted.profile}, {"by", submitted.by},
               {"time", submitted.time},       {"arrays", Json::array()}};
  for (const SubmittedArray& array : submitted.arrays)
    json["arrays"].push_back({{"elements", array.elements}, {"job", array.job}});
  write_json_file(submission_folder(workspace, submitted.token) / kSubmittedFile, json);
}

std::vector<Submitted> read_submitted(const fs::path& workspace) {
  std::vector<Submitted> all;
  for (const fs::directory_entry& entry : results::entries_of(workspace / kSubmissionsFolder))
    if (results::is_sweep_name(entry.path().filename().string()) &&
        fs::exists(entry.path() / kSubmittedFile))
      all.push_back(read_one(entry.path()));
  std::ranges::sort(all, {},
                    [](const Submitted& each) { return std::pair(each.time, each.token); });
  return all;
}

bool find_jobs(const std::vector<JobRow>& rows, Submitted* submitted) {
  bool found = false;
  for (std::size_t i = 0; i < submitted->arrays.size(); ++i) {
    if (!submitted->arrays[i].job.empty()) continue;
    for (const JobRow& row : rows)
      if (is_of(row, *submitted, i)) {
        submitted->arrays[i].job = row.id.job;
        found = true;
        break;
      }
  }
  return found;
}

ElementCounts elements_of(const std::vector<JobRow>& rows, const Submitted& submitted) {
  ElementCounts counts;
  for (const JobRow& row : rows)
    for (std::size_t i = 0; i < submitted.arrays.size(); ++i)
      if (is_of(row, submitted, i)) {
        add(row, &counts);
        break;
      }
  return counts;
}

bool has_log(const fs::path& workspace, const Submitted& submitted) {
  const auto files = results::entries_of(submission_folder(workspace, submitted.token));
  return std::any_of(begin(files), end(files), [](const fs::directory_entry& entry) {
    return entry.path().extension() == ".log";
  });
}

bool left_nothing(const fs::path& workspace, const std::vector<JobRow>& rows,
                  const Submitted& submitted) {
  return submitted.complete() && elements_of(rows, submitted).alive() == 0 &&
         !has_log(workspace, submitted);
}

}  // namespace runner
