#include "runner/cluster/launch/hosts_launch.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>

#include "lcsm/base/words.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/process/steady_time.h"
#include "runner/base/process/stop_counter.h"
#include "runner/base/text/counts.h"
#include "runner/cluster/hosts/send.h"
#include "runner/cluster/slurm/batch.h"
#include "runner/cluster/slurm/look_timer.h"
#include "runner/cluster/slurm/submitted.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

class HostsLaunch : public Launch {
 public:
  explicit HostsLaunch(const LaunchSettings& settings)
      : settings_(settings),
        hosts_(hosts_for(settings.sweep, settings.workspace)),
        rules_(rules_of(settings)) {}

  int slots() const override { return slots_of(hosts_, rules_.jobs); }
  void bring_back() override { look_ = look_at_hosts(settings_.workspace, hosts_, say); }

  void print(const Work& work) const override {
    const std::size_t runs = runs_to_submit(work, {}).size();
    if (runs == 0) return fmt::print("# {}: nothing to submit\n", work.sweep.name);
    fmt::print("# {}: {} for {}\n", work.sweep.name,
               counted(static_cast<std::int64_t>(runs), "run"),
               counted(static_cast<std::int64_t>(hosts_.size()), "host"));
    for (const TrainingHost& host : hosts_)
      fmt::print("{}\n", shell_line(start_words(host, work.sweep.name + "-TOKEN")));
  }

  void submit(const Work& work) override {
    try {
      submit_all(work);
    } catch (const HostError& error) {
      throw Failure(ExitCode::kFailed, error.what());
    } catch (const std::system_error& error) {
      throw not_submitted(error);
    }
  }

  bool wait() override {
    LookTimer timer(steady_seconds());
    std::vector<std::string> before;
    std::set<std::string> told;  // once each
    const Said say_once = [&](const std::string& text) {
      if (told.insert(text).second) say(text);
    };
    while (StopCounter::count() == 0) {
      if (!timer.is_due(steady_seconds())) {
        poll(nullptr, 0, 200);  // a signal ends it
        continue;
      }
      const HostsLook now = look_at_hosts(settings_.workspace, hosts_, say_once);
      if (now.open.empty()) return true;
      const bool changed = now.running != before;
      if (changed) say("training on " + lcsm::joined(now.running));
      before = now.running;
      timer.looked(steady_seconds(), changed);
    }
    say("the hosts continue; the same command fetches what they have trained");
    return false;
  }

 private:
  // Leaves out runs that a process of this workspace trains, or may train.
  std::vector<RunToDo> free_runs(const Work& work) const {
    std::vector<RunToDo> runs = runs_to_submit(work, look_.runs);
    const std::size_t all = runs.size();
    std::erase_if(runs, [&](const RunToDo& run) { return !is_free(work.workspace, run.job.id); });
    if (runs.size() < all)
      say(counted(static_cast<std::int64_t>(all - runs.size()), "run") +
          " may be in training in another process: `lcsm why` names it");
    return runs;
  }

  void submit_all(const Work& work) const {
    if (!look_.running.empty()) say("training on " + lcsm::joined(look_.running));
    const std::vector<RunToDo> runs = free_runs(work);
    if (runs.empty()) {
      fmt::print("{}: nothing to submit, {}\n", work.sweep.name, work.plan.counts().summary());
      return;
    }
    const std::vector<ReadyHost> ready = ready_hosts(work.workspace, hosts_, say);
    if (ready.empty())
      throw Failure(ExitCode::kFailed,
                    "expected a host that can train, got none: nothing was "
                    "started");
    const Submission whole = submission_of(work, runs, rules_, freeze_for(settings_));
    const std::vector<HostPart> parts = send_to_hosts(work.workspace, whole, ready, say);
    for (const HostPart& part : parts) report(work, part);
    if (parts.empty())
      throw Failure(ExitCode::kFailed,
                    "expected a host that can be started, got none: nothing was started");
  }

  static void report(const Work& work, const HostPart& part) {
    std::vector<std::string> names;
    for (const TrainingHost& host : part.hosts) names.push_back(host.name);
    const std::size_t runs = submitted_runs(work.workspace, part.token).size();
    fmt::print("{}: {} to {}, {}\n", work.sweep.name,
               counted(static_cast<std::int64_t>(runs), "run"), lcsm::joined(names),
               part.shared ? "which share this workspace" : "with a workspace of its own");
  }

  LaunchSettings settings_;
  std::vector<TrainingHost> hosts_;
  ElementRules rules_;
  HostsLook look_;
};

}  // namespace

std::vector<TrainingHost> hosts_for(const SweepFile& sweep, const fs::path& workspace) {
  try {
    return find_hosts(sweep.path, workspace);
  } catch (const std::invalid_argument&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw Failure(ExitCode::kMissing, error.what());
  }
}

std::unique_ptr<Launch> make_hosts_launch(const LaunchSettings& settings) {
  return std::make_unique<HostsLaunch>(settings);
}

}  // namespace runner
