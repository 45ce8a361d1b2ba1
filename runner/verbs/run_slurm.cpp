#include "runner/verbs/run_slurm.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>

#include "results/text/escape.h"
#include "runner/process/exit_code.h"
#include "runner/process/stderr_text.h"
#include "runner/process/steady_time.h"
#include "runner/process/stop_counter.h"
#include "runner/slurm/batch.h"
#include "runner/slurm/cluster_watch.h"
#include "runner/slurm/commands.h"
#include "runner/slurm/freeze.h"
#include "runner/slurm/profile_search.h"
#include "runner/slurm/submit.h"
#include "runner/text/counts.h"
#include "runner/text/duration.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

void say(const std::string& text) { print_safe("lcsm run: " + text + "\n"); }

std::vector<RunToDo> runs_to_submit(const Work& work, const std::set<std::string>& submitted) {
  std::vector<RunToDo> runs;
  for (const RunToDo& run : work.runs)
    if (run.job.queued && !run.job.cancelled && !submitted.contains(run.job.id))
      runs.push_back(run);
  return runs;
}

std::vector<ProgramToFreeze> programs_of(const SlurmRun& run) {
  return {{"lcsm", fs::read_symlink("/proc/self/exe")}, {"lcsm-train", run.trainer}};
}

Submission submission_of(const SlurmRun& run, const Work& work, const std::vector<RunToDo>& runs,
                         const std::string& program) {
  Submission submission{new_token(work.sweep.name), program, work.mark, run.rules};
  for (const RunToDo& each : runs)
    submission.runs.push_back({each.job.id, each.name, each.config, each.job.seconds,
                               each.job.memory_bytes, each.threads, each.disk_bytes});
  return submission;
}

std::int64_t elements_of(const SlurmRun& run, std::size_t runs) {
  return elements_for(run.profile, static_cast<std::int64_t>(runs),
                      runs_at_once(run.profile, run.rules.jobs));
}

std::vector<std::int64_t> arrays_of(const SlurmRun& run, std::size_t runs,
                                    const ClusterQueue& queue) {
  const ClusterConfig config = read_cluster_config();
  const AccountLimits limits = read_account_limits(config, run.profile.account, run.profile.qos);
  return arrays_for(elements_of(run, runs), config, limits, queue.elements().alive());
}

void report_submitted(const Work& work, const Submitted& submitted, std::size_t runs) {
  std::vector<std::string> jobs;
  std::int64_t elements = 0;
  for (const SubmittedArray& array : submitted.arrays) {
    jobs.push_back(array.job);
    elements += array.elements;
  }
  fmt::print("{}: {} submitted, {} of {} (profile {})\n", work.sweep.name,
             counted(static_cast<std::int64_t>(runs), "run"), counted(elements, "element"),
             jobs_text(jobs), results::safe_text(submitted.profile));
}

void submit_all(const SlurmRun& run, const Work& work) {
  ClusterQueue queue = look_at_cluster(work.workspace, /*settle=*/true);
  std::set<std::string> wanted;
  for (const RunToDo& each : runs_to_submit(work, {})) wanted.insert(each.job.id);
  std::set<std::string> known = submit_rest(
      work.workspace, run.profile, wanted, &queue.submitted, [&](const Submitted& each) {
        report_submitted(work, each, submitted_runs(work.workspace, each.token).size());
      });
  const bool continued = !known.empty();
  known.merge(queue.runs(work.workspace));
  const std::vector<RunToDo> runs = runs_to_submit(work, known);
  const ElementCounts elements = queue.elements();
  if (elements.alive() > 0)
    say(fmt::format("{} in the queue: {}", jobs_text(elements.jobs), elements_text(elements)));
  if (runs.empty()) {
    if (!continued)
      fmt::print("{}: nothing to submit, {}\n", work.sweep.name, work.plan.counts().summary());
    return;
  }
  const auto arrays = arrays_of(run, runs.size(), queue);
  const std::string program = freeze_programs(work.workspace, programs_of(run));
  const Submitted submitted =
      submit(work.workspace, submission_of(run, work, runs, program), run.profile, arrays, say);
  report_submitted(work, submitted, runs.size());
}

}  // namespace

SlurmProfile profile_for(const SweepFile& sweep, const fs::path& workspace,
                         const std::string& name) {
  try {
    return find_profile(profile_places(sweep.path, workspace), name);
  } catch (const std::invalid_argument&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw Failure(ExitCode::kMissing, error.what());
  }
}

SlurmRun slurm_run(const SweepFile& sweep, const fs::path& workspace, const std::string& profile,
                   const fs::path& trainer, const Policy& policy, const RunBudget& budget) {
  SlurmRun run{profile_for(sweep, workspace, profile), trainer, {}};
  const RunLimits limits = limits_of(budget);
  run.rules.warning = static_cast<double>(run.profile.warning);
  run.rules.runs_per_gpu = run.profile.runs_per_gpu;
  run.rules.jobs = budget.jobs;
  run.rules.retries = policy.retries;
  run.rules.timeout = limits.timeout_seconds;
  run.rules.grace = limits.grace_seconds;
  run.rules.stall = limits.stall_seconds;
  return run;
}

int slots_of(const SlurmProfile& profile, int jobs) {
  return static_cast<int>(
      std::min<std::int64_t>(4096, runs_at_once(profile, jobs) * profile.elements));
}

void print_scripts(const SlurmRun& run, const Work& work) {
  const std::vector<RunToDo> runs = runs_to_submit(work, {});
  if (runs.empty()) return fmt::print("# {}: nothing to submit\n", work.sweep.name);
  Submission submission{work.sweep.name + "-TOKEN", "HASH", work.mark, run.rules};
  const std::int64_t elements = elements_of(run, runs.size());
  fmt::print("# {}: {} of {}, {} at once\n", work.sweep.name, counted(elements, "element"),
             counted(static_cast<std::int64_t>(runs.size()), "run"),
             slots_of(run.profile, static_cast<int>(run.rules.jobs)));
  std::vector<std::string> words = {"sbatch", "--parsable"};
  for (std::string& option :
       array_options(run.profile, work.workspace, submission.token, 0, elements))
    words.push_back(std::move(option));
  words.push_back((submission_folder(work.workspace, submission.token) / kScriptFile).string());
  fmt::print("{}\n\n# {}\n{}", shell_line(words), kScriptFile,
             element_script(work.workspace, submission));
}

void submit_work(const SlurmRun& run, const Work& work) {
  try {
    submit_all(run, work);
  } catch (const SlurmError& error) {
    throw Failure(ExitCode::kFailed, error.what());
  } catch (const std::system_error& error) {
    throw Failure(ExitCode::kOutput, std::string("nothing was submitted: ") + error.what());
  }
}

bool wait_for_cluster(const Work& work) {
  LookTimer timer(steady_seconds());
  std::string before;
  while (StopCounter::count() == 0) {
    if (!timer.is_due(steady_seconds())) {
      poll(nullptr, 0, 200);  // a signal ends it
      continue;
    }
    bool changed = true;
    try {
      const ElementCounts elements = look_at_cluster(work.workspace).elements();
      if (elements.alive() == 0) return true;
      const std::string now = elements_text(elements);
      changed = now != before;
      if (changed) say(now);
      before = now;
    } catch (const SlurmError& error) {
      changed = false;
      say(error.what());
    }
    timer.looked(steady_seconds(), changed);
  }
  say("the cluster goes on; `lcsm watch` shows it, the same command waits again");
  return false;
}

}  // namespace runner
