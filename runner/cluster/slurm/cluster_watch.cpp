#include "runner/cluster/slurm/cluster_watch.h"

#include <algorithm>

#include "lcsm/base/words.h"
#include "runner/cluster/slurm/commands.h"
#include "runner/cluster/slurm/reasons.h"
#include "runner/cluster/slurm/recent_jobs.h"
#include "runner/cluster/slurm/submit.h"

namespace runner {
namespace {

// The limit for which an array task is pending: "4 GPUs"; "" if unknown.
std::string limit_of(const ElementCounts& counts) {
  const std::string resource(limited_resource(counts.reason));
  if (resource.empty()) return "";
  const AccountLimits limits =
      read_account_limits(read_cluster_config(), counts.account, counts.qos);
  const auto& known = counts.reason.starts_with("QOS") ? limits.of_qos : limits.of_account;
  const auto found = known.find(resource);
  return found == known.end() ? "" : resource_text(resource, found->second);
}

std::string number_text(std::int64_t number, const std::string& verb, const std::string& several) {
  return number == 1 ? "1 array task " + verb : std::to_string(number) + " array tasks " + several;
}

}  // namespace

const std::string& ClusterWatch::text(double now) {
  if (!timer_.is_due(now)) return text_;
  const std::string before = text_;
  try {
    const ElementCounts counts = look_at_cluster(workspace_).elements();
    text_ = counts.alive() == 0 ? "" : jobs_text(counts.jobs) + ": " + elements_text(counts);
  } catch (const SlurmError& error) {
    text_ = error.absent() ? "" : std::string("a cluster that does not respond: ") + error.what();
  }
  timer_.looked(now, text_ != before);
  return text_;
}

std::string jobs_text(const std::vector<std::string>& jobs) {
  return (jobs.size() == 1 ? "job " : "jobs ") + lcsm::joined(jobs);
}

std::string elements_text(const ElementCounts& counts) {
  std::string text = std::to_string(counts.running) + " running";
  if (counts.unknown > 0) text += ", " + std::to_string(counts.unknown) + " in an unknown state";
  if (counts.waiting == 0) return text;
  return text + ", " + std::to_string(counts.waiting) +
         " pending: " + wait_reason(counts.reason).words;
}

std::vector<std::string> why_it_waits(const std::filesystem::path& workspace,
                                      const std::string& id) {
  std::vector<std::string> lines;
  const ClusterQueue queue = look_at_cluster(workspace);
  for (const Submitted& each : queue.submitted) {
    const ElementCounts counts = elements_of(queue.rows, each);
    if (counts.alive() == 0) continue;
    const std::vector<std::string> runs = submitted_runs(workspace, each.token);
    if (std::ranges::find(runs, id) == runs.end()) continue;
    if (counts.running > 0)
      lines.push_back(jobs_text(counts.jobs) + ": " + number_text(counts.running, "is", "are") +
                      " training other runs and will start it");
    if (counts.waiting == 0) continue;
    const WaitReason reason = wait_reason(counts.reason, limit_of(counts));
    lines.push_back(jobs_text(counts.jobs) + ": " +
                    number_text(counts.waiting, "is pending", "are pending") + ": " + reason.words);
    if (reason.hopeless)
      lines.push_back("it cannot start: `scancel` it, change the profile and submit again");
    if (!counts.start.empty())
      lines.push_back("Slurm expects the next to start at " + counts.start);
  }
  return lines;
}

std::vector<std::string> release_jobs(const std::filesystem::path& workspace,
                                      const std::set<std::string>& over) {
  const ClusterQueue queue = look_at_cluster(workspace);
  std::vector<std::string> jobs;
  for (const Submitted& each : queue.submitted) {
    const ElementCounts counts = elements_of(queue.rows, each);
    if (counts.waiting == 0) continue;
    const std::vector<std::string> runs = submitted_runs(workspace, each.token);
    if (std::ranges::all_of(runs, [&](const std::string& id) { return over.contains(id); }))
      jobs.insert(jobs.end(), counts.jobs.begin(), counts.jobs.end());
  }
  cancel_jobs(jobs, /*waiting=*/true);
  if (!jobs.empty()) forget_recent_jobs(workspace);
  return jobs;
}

}  // namespace runner
