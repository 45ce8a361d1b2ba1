#include "runner/cluster/launch/launch.h"

#include <array>
#include <cerrno>

#include "runner/base/host/libtorch.h"
#include "runner/base/process/stderr_text.h"
#include "runner/cluster/launch/hosts_launch.h"
#include "runner/cluster/launch/slurm_launch.h"
#include "runner/cluster/slurm/freeze.h"
#include "runner/cluster/slurm/submit.h"

namespace runner {
namespace {

constexpr std::array kLaunches = {LaunchRow{"slurm", make_slurm_launch},
                                  LaunchRow{"hosts", make_hosts_launch}};

}  // namespace

std::unique_ptr<Launch> make_launch(std::string_view engine, const LaunchSettings& settings) {
  for (const LaunchRow& row : kLaunches)
    if (row.name == engine) return row.make(settings);
  return nullptr;
}

ElementRules rules_of(const LaunchSettings& settings) {
  const RunLimits limits = limits_of(settings.budget);
  ElementRules rules;
  rules.jobs = settings.budget.jobs;
  rules.retries = settings.policy.retries;
  rules.timeout = limits.timeout_seconds;
  rules.grace = limits.grace_seconds;
  rules.stall = limits.stall_seconds;
  return rules;
}

std::vector<RunToDo> runs_to_submit(const Work& work, const std::set<std::string>& known) {
  std::vector<RunToDo> runs;
  for (const RunToDo& run : work.runs)
    if (run.job.queued && !run.job.cancelled && !known.contains(run.job.id)) runs.push_back(run);
  return runs;
}

Submission submission_of(const Work& work, const std::vector<RunToDo>& runs,
                         const ElementRules& rules, const std::string& program) {
  Submission submission{new_token(work.sweep.name), program, work.mark, rules};
  for (const RunToDo& each : runs)
    submission.runs.push_back({each.job.id, each.name, each.config, each.job.seconds,
                               each.job.memory_bytes, each.threads, each.disk_bytes});
  return submission;
}

std::string freeze_for(const LaunchSettings& settings) {
  find_libtorch(settings.trainer);
  return freeze_programs(settings.workspace,
                         {{"lcsm", std::filesystem::read_symlink("/proc/self/exe")},
                          {"lcsm-train", settings.trainer}});
}

Failure not_submitted(const std::system_error& error) {
  const bool full = error.code() == std::errc::no_space_on_device ||
                    error.code() == std::error_code(EDQUOT, std::generic_category());
  return {ExitCode::kOutput,
          std::string("nothing was submitted: ") + error.what() +
              (full ? ": free some space there (`df -h`, `quota -s`) and run the same command again"
                    : "")};
}

void say(const std::string& text) { print_safe("lcsm run: " + text + "\n"); }

}  // namespace runner
