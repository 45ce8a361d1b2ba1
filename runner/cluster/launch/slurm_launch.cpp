#include "runner/cluster/launch/slurm_launch.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>

#include "results/text/escape.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/process/steady_time.h"
#include "runner/base/process/stop_counter.h"
#include "runner/base/text/counts.h"
#include "runner/cluster/slurm/batch.h"
#include "runner/cluster/slurm/cluster_watch.h"
#include "runner/cluster/slurm/commands.h"
#include "runner/cluster/slurm/profile_search.h"
#include "runner/cluster/slurm/submit.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

void report_submitted(const Work& work, const Submitted& submitted, std::size_t runs) {
  std::vector<std::string> jobs;
  std::int64_t elements = 0;
  for (const SubmittedArray& array : submitted.arrays) {
    jobs.push_back(array.job);
    elements += array.elements;
  }
  fmt::print("{}: {} submitted, {} of {} (profile {})\n", work.sweep.name,
             counted(static_cast<std::int64_t>(runs), "run"), counted(elements, "array task"),
             jobs_text(jobs), results::safe_text(submitted.profile));
}

class SlurmLaunch : public Launch {
 public:
  explicit SlurmLaunch(const LaunchSettings& settings)
      : settings_(settings),
        profile_(profile_for(settings.sweep, settings.workspace, settings.profile)),
        rules_(rules_of(settings)) {
    rules_.warning = static_cast<double>(profile_.warning);
    rules_.runs_per_gpu = profile_.runs_per_gpu;
    rules_.set_silence(static_cast<double>(profile_.silence));
  }

  int slots() const override { return slots_of(profile_, rules_.jobs); }
  void bring_back() override {}  // the workspace is shared

  void print(const Work& work) const override {
    const std::vector<RunToDo> runs = runs_to_submit(work, {});
    if (runs.empty()) return fmt::print("# {}: nothing to submit\n", work.sweep.name);
    Submission submission{work.sweep.name + "-TOKEN", "HASH", work.mark, rules_};
    const std::int64_t elements = elements_of(runs.size());
    fmt::print("# {}: {} for {}, {} at a time\n", work.sweep.name, counted(elements, "array task"),
               counted(static_cast<std::int64_t>(runs.size()), "run"), slots());
    std::vector<std::string> words = {"sbatch", "--parsable"};
    for (std::string& option :
         array_options(profile_, work.workspace, submission.token, 0, elements))
      words.push_back(std::move(option));
    words.push_back((submission_folder(work.workspace, submission.token) / kScriptFile).string());
    fmt::print("{}\n\n# {}\n{}", shell_line(words), kScriptFile,
               element_script(work.workspace, submission));
  }

  void submit(const Work& work) override {
    try {
      submit_all(work);
    } catch (const SlurmError& error) {
      throw Failure(ExitCode::kFailed, error.what());
    } catch (const std::system_error& error) {
      throw not_submitted(error);
    }
  }

  bool wait() override {
    LookTimer timer(steady_seconds());
    std::string before;
    while (StopCounter::count() == 0) {
      if (!timer.is_due(steady_seconds())) {
        poll(nullptr, 0, 200);  // a signal ends it
        continue;
      }
      bool changed = true;
      try {
        const ElementCounts elements = look_at_cluster(settings_.workspace).elements();
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
    say("the cluster continues; `lcsm watch` shows it, and the same command waits again");
    return false;
  }

 private:
  std::int64_t elements_of(std::size_t runs) const {
    return elements_for(profile_, static_cast<std::int64_t>(runs),
                        runs_at_once(profile_, rules_.jobs));
  }

  std::vector<std::int64_t> arrays_of(std::size_t runs, const ClusterQueue& queue) const {
    const ClusterConfig config = read_cluster_config();
    const AccountLimits limits = read_account_limits(config, profile_.account, profile_.qos);
    return arrays_for(elements_of(runs), config, limits, queue.elements().alive());
  }

  void submit_all(const Work& work) const {
    ClusterQueue queue = look_at_cluster(work.workspace, /*settle=*/true);
    std::set<std::string> wanted;
    for (const RunToDo& each : runs_to_submit(work, {})) wanted.insert(each.job.id);
    std::set<std::string> known =
        submit_rest(work.workspace, profile_, wanted, &queue.submitted, [&](const Submitted& each) {
          report_submitted(work, each, submitted_runs(work.workspace, each.token).size());
        });
    const bool continued = !known.empty();
    known.merge(queue.runs(work.workspace));
    const std::vector<RunToDo> runs = runs_to_submit(work, known);
    for (const Submitted& each : queue.submitted) warn_of(each, queue.rows);
    const ElementCounts elements = queue.elements();
    if (elements.alive() > 0)
      say(fmt::format("{} in the queue: {}", jobs_text(elements.jobs), elements_text(elements)));
    if (runs.empty()) {
      if (!continued)
        fmt::print("{}: nothing to submit, {}\n", work.sweep.name, work.plan.counts().summary());
      return;
    }
    const auto arrays = arrays_of(runs.size(), queue);
    const Submission submission = submission_of(work, runs, rules_, freeze_for(settings_));
    report_submitted(work, runner::submit(work.workspace, submission, profile_, arrays, say),
                     runs.size());
  }

  void warn_of(const Submitted& submitted, const std::vector<JobRow>& rows) const {
    if (!left_nothing(settings_.workspace, rows, submitted)) return;
    say(submitted.token + " has ended and left no log in " +
        submission_folder(settings_.workspace, submitted.token).string() +
        ": unless it was cancelled before it started, its nodes cannot see this workspace, which "
        "must be on a file system that all nodes share; remove that folder to stop this message");
  }

  LaunchSettings settings_;
  SlurmProfile profile_;
  ElementRules rules_;
};

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

int slots_of(const SlurmProfile& profile, std::int64_t jobs) {
  return static_cast<int>(
      std::min<std::int64_t>(4096, runs_at_once(profile, jobs) * profile.elements));
}

std::unique_ptr<Launch> make_slurm_launch(const LaunchSettings& settings) {
  return std::make_unique<SlurmLaunch>(settings);
}

}  // namespace runner
