#include "runner/cluster/slurm/slurm_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/text/escape.h"
#include "runner/base/process/batch_job.h"
#include "runner/base/text/counts.h"
#include "runner/cluster/slurm/batch.h"
#include "runner/cluster/slurm/cluster_check.h"
#include "runner/cluster/slurm/cluster_cost.h"
#include "runner/cluster/slurm/cluster_watch.h"
#include "runner/cluster/slurm/commands.h"
#include "runner/cluster/slurm/element_job.h"
#include "runner/cluster/slurm/submit.h"
#include "runner/cluster/submission/freeze.h"
#include "runner/cluster/submission/hand_over.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr int kMostSlots = 4096;

bool asks_for_gpus(const SlurmProfile& profile) {
  return gpus_of(profile) > 0 || std::ranges::any_of(profile.extra, [](const std::string& option) {
           return option.find("gpu") != option.npos;  // "--gpus-per-node=2"
         });
}

// Slurm replaces what follows a % in the path of a log, and removes backslashes, also from its
// folder: no array task would start.
void check_path(const fs::path& workspace) {
  const auto refuse = [&](const std::string& characters, const std::string& why) {
    throw std::invalid_argument("expected a workspace without " + characters + " in its path, " +
                                why + ", got '" + workspace.string() +
                                "': choose another one, or name it by a link");
  };
  const auto has = [&](const char* one) {
    return workspace.string().find_first_of(one) != std::string::npos;
  };
  if (has("%\\")) refuse("% and \\", "which Slurm changes in names of logs");
  if (has(kNotInLibraryPath)) refuse("':', ';' and '$'", "at which LD_LIBRARY_PATH is split");
}

void report_submitted(const Work& work, const Submitted& submitted, std::size_t runs) {
  std::vector<std::string> jobs;
  std::int64_t elements = 0;
  for (const SubmittedArray& array : submitted.arrays) {
    jobs.push_back(array.job);
    elements += array.elements;
  }
  fmt::print("{}: {} submitted, {} of {} (profile {})\n", work.sweep.name, counted(runs, "run"),
             counted(elements, "array task"), jobs_text(jobs),
             results::safe_text(submitted.profile));
}

class SlurmEngine : public Engine {
 public:
  explicit SlurmEngine(const EngineSettings& settings)
      : settings_(settings), watch_(settings.workspace) {
    if (!settings.sweep) return;
    check_path(settings.workspace);
    profile_ = find_profile(settings.sweep->path, settings.workspace, settings.profile);
    rules_ = rules_of(settings);
    rules_.warning = static_cast<double>(profile_.warning);
    rules_.runs_per_gpu = profile_.runs_per_gpu;
    rules_.set_silence(static_cast<double>(profile_.silence));
  }

  int slots() const override {
    return static_cast<int>(std::min<std::int64_t>(
        kMostSlots, runs_at_once(profile_, rules_.jobs) * profile_.elements));
  }

  EngineCost cost(const SweepPlan& plan) const override {
    return cost_on_cluster(plan, profile_, rules_.jobs);
  }

  std::string plan(const Work& work) const override {
    const std::vector<RunToDo> runs = runs_to_submit(work, queued(work.workspace));
    if (runs.empty()) return fmt::format("# {}: nothing to submit\n", work.sweep.name);
    const Submission submission{work.sweep.name + "-TOKEN", "HASH", work.mark, rules_};
    const std::int64_t elements = elements_of(runs.size());
    std::vector<std::string> words = {"sbatch", "--parsable"};
    for (std::string& option :
         array_options(profile_, work.workspace, submission.token, 0, elements))
      words.push_back(std::move(option));
    words.push_back((submission_folder(work.workspace, submission.token) / kScriptFile).string());
    return fmt::format("# {}: {} for {}, {} at a time\n{}\n\n# {}\n{}", work.sweep.name,
                       counted(elements, "array task"), counted(runs.size(), "run"), slots(),
                       shell_line(words), kScriptFile, element_script(work.workspace, submission));
  }

  void start(const Work& work) override {
    try {
      submit_all(work);
    } catch (const SlurmError& error) {
      throw Failure(ExitCode::kFailed, error.what());
    } catch (const std::system_error& error) {
      throw not_submitted(error);
    }
  }

  SweepRunResult watch(const Work&, const SweepRunWatcher&) override {
    const bool over = wait_until_over("", [this](const std::string& seen) {
      try {
        const ElementCounts elements = look_at_cluster(settings_.workspace).elements();
        return elements.alive() == 0 ? std::nullopt : std::optional(elements_text(elements));
      } catch (const SlurmError& error) {
        say(error.what());
        return std::optional(seen);
      }
    });
    if (!over)
      say("the cluster continues; `lcsm watch` shows it, and the same command waits again");
    return {.stopped = !over};
  }

  std::string running(double now) override { return watch_.text(now); }

  std::vector<std::string> why(const std::string& id) override {
    return why_it_waits(settings_.workspace, id);
  }

  std::vector<std::string> cancel(const std::set<std::string>& over) override {
    std::vector<std::string> lines;
    for (const std::string& job : release_jobs(settings_.workspace, over))
      lines.push_back("job " + job + ": pending array tasks cancelled");
    return lines;
  }

  std::optional<EngineCheck> check() const override { return check_cluster(); }

  bool is_here() const override { return !this_batch_job().id.empty(); }
  std::optional<int> cores() const override { return cores_of_job(); }
  std::optional<double> seconds_left() const override {
    return seconds_left_of(this_batch_job().id);
  }
  std::string_view file() const override { return kProfilesFile; }
  std::string requeue(const std::set<std::string>& nodes) override {
    return requeue_element(this_batch_job().id, nodes);
  }

 private:
  std::int64_t elements_of(std::size_t runs) const {
    return elements_for(profile_, static_cast<std::int64_t>(runs),
                        runs_at_once(profile_, rules_.jobs));
  }

  // A dry run is of use without Slurm, too.
  static std::set<std::string> queued(const fs::path& workspace) {
    try {
      return look_at_cluster(workspace).runs(workspace);
    } catch (const SlurmError& error) {
      say(error.what());
      return {};
    }
  }

  // sbatch accepts jobs while accounting does not answer, and knows the limits.
  std::vector<std::int64_t> arrays_of(std::size_t runs, const ClusterQueue& queue) const {
    const ClusterConfig config = read_cluster_config();
    AccountLimits limits;
    try {
      limits = read_account_limits(config, profile_.account, profile_.qos);
    } catch (const SlurmError& error) {
      say(std::string("the account's limits are unknown: ") + error.what());
    }
    return arrays_for(elements_of(runs), config, limits, queue.elements().alive());
  }

  void submit_all(const Work& work) const {
    ClusterQueue queue = look_at_cluster(work.workspace, /*settle=*/true);
    std::set<std::string> wanted;
    for (const RunToDo& each : runs_to_submit(work)) wanted.insert(each.job.id);
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
      if (!continued) report_nothing_to_submit(work);
      return;
    }
    const auto arrays = arrays_of(runs.size(), queue);
    const Submission submission =
        submission_of(work, runs, rules_, settings_, asks_for_gpus(profile_));
    report_submitted(work, submit(work.workspace, submission, profile_, arrays, say), runs.size());
  }

  void warn_of(const Submitted& submitted, const std::vector<JobRow>& rows) const {
    if (!left_nothing(settings_.workspace, rows, submitted)) return;
    say(submitted.token + " has ended and left no log in " +
        submission_folder(settings_.workspace, submitted.token).string() +
        ": unless it was cancelled before it started, its nodes cannot see this workspace, which "
        "must be on a file system that all nodes share; remove that folder to stop this message");
  }

  EngineSettings settings_;
  SlurmProfile profile_;
  ElementRules rules_;
  ClusterWatch watch_;
};

}  // namespace

std::unique_ptr<Engine> make_slurm_engine(const EngineSettings& settings) {
  return std::make_unique<SlurmEngine>(settings);
}

}  // namespace runner
