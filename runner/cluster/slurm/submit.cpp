#include "runner/cluster/slurm/submit.h"

#include <algorithm>

#include "lcsm/files/whole_file.h"
#include "results/events/run_folder.h"
#include "runner/base/process/process_facts.h"
#include "runner/cluster/slurm/batch.h"
#include "runner/cluster/slurm/commands.h"
#include "runner/cluster/slurm/recent_jobs.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

// Removes submissions that a killed `lcsm run` had not finished writing.
void remove_unfinished(const fs::path& workspace) {
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : results::entries_of(workspace / kSubmissionsFolder))
    if (entry.path().filename().string().starts_with(".new-")) folders.push_back(entry.path());
  for (const fs::path& folder : folders) fs::remove_all(folder);
}

void settle_jobs(const fs::path& workspace, const std::vector<JobRow>& rows, Submitted* submitted) {
  bool found = find_jobs(rows, submitted);
  for (std::size_t i = 0; i < submitted->arrays.size() && !submitted->complete(); ++i) {
    if (!submitted->arrays[i].job.empty()) continue;
    if (const auto ended = accounted_jobs({}, array_name(submitted->token, i)))
      found = find_jobs(*ended, submitted) || found;
  }
  if (found) write_submitted(workspace, *submitted);
}

// Removes a submission that Slurm never got: the next one has its runs, with the profile and the
// programs of that time.
bool forgotten(const fs::path& workspace, const Submitted& submitted) {
  const auto has_job = [](const SubmittedArray& each) { return !each.job.empty(); };
  if (std::ranges::any_of(submitted.arrays, has_job) || has_log(workspace, submitted)) return false;
  lcsm::refuse_links(workspace / kSubmissionsFolder);
  fs::remove_all(submission_folder(workspace, submitted.token));
  return true;
}

// Submits the arrays that have no job yet.
void submit_arrays(const fs::path& workspace, const SlurmProfile& profile, Submitted* submitted) {
  const fs::path script = submission_folder(workspace, submitted->token) / kScriptFile;
  for (std::size_t i = 0; i < submitted->arrays.size(); ++i) {
    SubmittedArray& array = submitted->arrays[i];
    if (!array.job.empty()) continue;
    forget_recent_jobs(workspace);
    array.job = submit_job(array_options(profile, workspace, submitted->token, i, array.elements),
                           script.string());
    write_submitted(workspace, *submitted);
  }
}

}  // namespace

std::set<std::string> ClusterQueue::runs(const fs::path& workspace) const {
  std::set<std::string> ids;
  for (const Submitted& each : submitted)
    if (elements_of(rows, each).alive() > 0)
      for (std::string& id : submitted_runs(workspace, each.token)) ids.insert(std::move(id));
  return ids;
}

ElementCounts ClusterQueue::elements() const {
  ElementCounts all;
  for (const Submitted& each : submitted) {
    const ElementCounts one = elements_of(rows, each);
    all.waiting += one.waiting;
    all.running += one.running;
    all.unknown += one.unknown;
    all.jobs.insert(all.jobs.end(), one.jobs.begin(), one.jobs.end());
    if (one.alive() > 0) all.account = one.account, all.qos = one.qos;
    if (one.waiting > 0) all.reason = one.reason, all.start = one.start;
  }
  return all;
}

ClusterQueue look_at_cluster(const fs::path& workspace, bool settle) {
  ClusterQueue queue{{}, read_submitted(workspace)};
  if (settle) remove_unfinished(workspace);
  if (queue.submitted.empty() && !settle) return queue;
  queue.rows = settle ? queued_jobs() : recent_jobs(workspace);
  if (!settle) return queue;
  for (Submitted& each : queue.submitted)
    if (!each.complete()) settle_jobs(workspace, queue.rows, &each);
  std::erase_if(queue.submitted, [&](const Submitted& each) { return forgotten(workspace, each); });
  return queue;
}

Submitted submit(const fs::path& workspace, const Submission& submission,
                 const SlurmProfile& profile, const std::vector<std::int64_t>& arrays,
                 const std::function<void(const std::string& text)>& said) {
  write_submission(workspace, submission);
  const fs::path folder = submission_folder(workspace, submission.token);
  lcsm::write_whole(folder / kScriptFile, element_script(workspace, submission));
  Submitted submitted{submission.token, submission.mark.sweep, profile.name, {}, user_at_host(),
                      utc_now()};
  for (const std::int64_t elements : arrays) submitted.arrays.push_back({elements, ""});
  write_submitted(workspace, submitted);
  try {
    submit_arrays(workspace, profile, &submitted);
  } catch (const SlurmError& error) {
    const bool none = submitted.arrays.front().job.empty();
    if (none && !error.unsure()) fs::remove_all(folder);
    if (none || error.unsure()) throw;
    std::erase_if(submitted.arrays, [](const SubmittedArray& each) { return each.job.empty(); });
    write_submitted(workspace, submitted);
    said(error.what());
  }
  return submitted;
}

std::set<std::string> submit_rest(const fs::path& workspace, const SlurmProfile& profile,
                                  const std::set<std::string>& wanted,
                                  std::vector<Submitted>* submitted,
                                  const std::function<void(const Submitted& submitted)>& done) {
  std::set<std::string> runs;
  for (Submitted& each : *submitted) {
    if (each.complete() || each.profile != profile.name) continue;
    const std::vector<std::string> ids = submitted_runs(workspace, each.token);
    if (std::ranges::none_of(ids, [&](const std::string& id) { return wanted.contains(id); }))
      continue;
    submit_arrays(workspace, profile, &each);
    done(each);
    runs.insert(ids.begin(), ids.end());
  }
  return runs;
}

}  // namespace runner
