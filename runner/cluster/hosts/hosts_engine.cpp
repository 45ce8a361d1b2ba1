#include "runner/cluster/hosts/hosts_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "lcsm/base/words.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/text/counts.h"
#include "runner/cluster/hosts/host_calls.h"
#include "runner/cluster/hosts/send.h"
#include "runner/cluster/submission/hand_over.h"

namespace runner {
namespace {

class HostsEngine : public Engine {
 public:
  explicit HostsEngine(const EngineSettings& settings) : settings_(settings) {
    if (!settings.sweep) return;
    hosts_ = find_hosts(settings.sweep->path, settings.workspace);
    rules_ = rules_of(settings);
  }

  int slots() const override { return slots_of(hosts_, rules_.jobs); }
  void fetch() override { look_ = look_at_hosts(settings_.workspace, hosts_, say); }

  std::string plan(const Work& work) const override {
    const std::size_t runs = runs_to_submit(work).size();
    if (runs == 0) return fmt::format("# {}: nothing to submit\n", work.sweep.name);
    std::string text = fmt::format("# {}: {} for {}\n", work.sweep.name, counted(runs, "run"),
                                   counted(hosts_.size(), "host"));
    for (const TrainingHost& host : hosts_)
      text += shell_line(start_words(host, work.sweep.name + "-TOKEN")) + "\n";
    return text;
  }

  void start(const Work& work) override {
    try {
      submit_all(work);
    } catch (const HostError& error) {
      throw Failure(ExitCode::kFailed, error.what());
    } catch (const std::system_error& error) {
      throw not_submitted(error);
    }
  }

  SweepRunResult watch(const Work&, const SweepRunWatcher&) override {
    std::set<std::string> told;  // once each
    const Said say_once = [&](const std::string& text) {
      if (told.insert(text).second) say(text);
    };
    const auto training_on = [](const HostsLook& look) {
      return look.running.empty() ? "no host answers" : "training on " + lcsm::joined(look.running);
    };
    const bool over =
        wait_until_over(training_on({}), [&](const std::string&) -> std::optional<std::string> {
          const HostsLook now = look_at_hosts(settings_.workspace, hosts_, say_once);
          if (now.open.empty()) return std::nullopt;
          return training_on(now);
        });
    if (!over) say("the hosts continue; the same command fetches what they have trained");
    return {.stopped = !over};
  }

  // Reports what the last `lcsm run --on hosts` saw; does not ask hosts.
  std::string running(double) override {
    std::set<std::string> names;
    try {
      for (const HostPart& part : open_parts(settings_.workspace))
        for (const TrainingHost& host : part.hosts) names.insert(host.name);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    if (names.empty()) return "";
    return (names.size() == 1 ? "host " : "hosts ") + lcsm::joined({names.begin(), names.end()});
  }

  std::vector<std::string> pass_requests_on() override {
    std::vector<std::string> lines;
    for (const HostPart& part : open_parts(settings_.workspace))
      for (const TrainingHost& host : part.hosts)
        lines.push_back("host " + host.name + sent(part, host));
    return lines;
  }

 private:
  // Sends the requests. Returns what `lcsm cancel` adds to "sent to host abacus": why they wait.
  std::string sent(const HostPart& part, const TrainingHost& host) const {
    try {
      if (!part.shared) send_requests(host, settings_.workspace);
      return "";
    } catch (const std::runtime_error& error) {
      return " by the next `lcsm run --on hosts`, since sending failed: " +
             std::string(error.what());
    }
  }

  // Leaves out runs that a process of this workspace trains, or may train.
  std::vector<RunToDo> free_runs(const Work& work) const {
    std::vector<RunToDo> runs = runs_to_submit(work, look_.runs);
    const std::size_t all = runs.size();
    std::string first;
    std::erase_if(runs, [&](const RunToDo& run) {
      const bool free = is_free(work.workspace, run.job.id);
      if (!free && first.empty()) first = run.job.id.substr(0, 8);
      return !free;
    });
    if (runs.size() < all)
      say(counted(all - runs.size(), "run") + " may be in training in another process: `lcsm why " +
          first + "` names it");
    return runs;
  }

  void submit_all(const Work& work) const {
    if (!look_.running.empty()) say("training on " + lcsm::joined(look_.running));
    const std::vector<RunToDo> runs = free_runs(work);
    if (runs.empty()) return report_nothing_to_submit(work);
    const std::vector<ReadyHost> ready = ready_hosts(work.workspace, hosts_, say);
    if (ready.empty())
      throw Failure(ExitCode::kFailed,
                    "expected a host that can train, got none: nothing was "
                    "started");
    const bool gpus =
        std::ranges::any_of(ready, [](const ReadyHost& each) { return !each.host.gpus.empty(); });
    const Submission whole = submission_of(work, runs, rules_, settings_, gpus);
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
    fmt::print("{}: {} to {}, {}\n", work.sweep.name, counted(runs, "run"), lcsm::joined(names),
               part.shared ? "which share this workspace" : "with a workspace of its own");
  }

  EngineSettings settings_;
  std::vector<TrainingHost> hosts_;
  ElementRules rules_;
  HostsLook look_;
};

}  // namespace

std::unique_ptr<Engine> make_hosts_engine(const EngineSettings& settings) {
  return std::make_unique<HostsEngine>(settings);
}

}  // namespace runner
