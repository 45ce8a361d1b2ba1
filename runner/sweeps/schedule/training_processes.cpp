#include "runner/sweeps/schedule/training_processes.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <map>

#include "results/events/run_folder.h"
#include "runner/base/process/steady_time.h"
#include "runner/base/process/stop_signals.h"

namespace runner {
namespace {

ChildProcess start_training(const TrainingSettings& settings, const RunToDo& run,
                            const std::filesystem::path& folder, std::size_t device) {
  std::vector<std::string> words = {settings.trainer.string(), "run",
                                    (folder / results::kConfigFile).string(), "--workspace",
                                    settings.workspace.string()};
  if (run.threads == 0)
    words.insert(words.end(), {"--set", "run.threads=" + std::to_string(settings.threads)});
  if (run.claim > 0) words.insert(words.end(), {"--claim", std::to_string(run.claim)});
  const std::filesystem::path log = folder / results::kLogFile;
  if (settings.gpus.empty()) return ChildProcess(words, log);
  words.insert(words.end(), {"--set", "run.device=cuda"});
  return ChildProcess(words, log, {"CUDA_VISIBLE_DEVICES=" + settings.gpus[device]});
}

class ChildProcesses : public TrainingProcesses {
 public:
  explicit ChildProcesses(const TrainingSettings& settings)
      : settings_(settings), keeper_(settings.limits) {}

  std::vector<std::string> devices() const override {
    return settings_.gpus.empty() ? std::vector<std::string>{"this host"} : settings_.gpus;
  }

  std::string missing() const override {
    if (access(settings_.trainer.c_str(), X_OK) == 0) return "";
    return settings_.trainer.string() + " cannot be started: " + std::strerror(errno);
  }

  void start(std::size_t job, const RunToDo& run, const std::filesystem::path& folder,
             std::size_t device) override {
    const auto child = children_.emplace(job, start_training(settings_, run, folder, device)).first;
    keeper_.started(job, child->second.id(), folder, steady_seconds());
  }

  void cancel(std::size_t job, const Ended& meaning) override {
    const auto child = children_.find(job);
    if (child == children_.end() || keeper_.is_ending(job)) return;
    keeper_.end(job, meaning, steady_seconds());
    child->second.signal(kStopRequest);
  }

  void stop() override {
    for (const auto& [job, child] : children_)
      if (!keeper_.is_ending(job)) child.signal(kStopRequest);
  }

  void kill() override {
    for (const auto& [job, child] : children_) child.signal(SIGKILL);
  }

  std::vector<TrainingReport> poll() override {
    std::vector<TrainingReport> reports;
    for (const RunKeeper::Order& order : keeper_.check(steady_seconds())) {
      if (order.signal != 0) children_.at(order.job).signal(order.signal);
      reports.push_back({order.job, order.text, {}});
    }
    for (auto child = children_.begin(); child != children_.end();) {
      const std::size_t job = child->first;
      const std::optional<Ended> ended = child->second.ended();
      child = ended ? children_.erase(child) : std::next(child);
      if (ended) reports.push_back({job, "", keeper_.ended(job, *ended)});
    }
    return reports;
  }

  void add_handles(std::vector<pollfd>* handles) const override {
    for (const auto& [job, child] : children_) handles->push_back({child.handle(), POLLIN, 0});
  }

 private:
  const TrainingSettings settings_;
  RunKeeper keeper_;
  std::map<std::size_t, ChildProcess> children_;  // by job
};

}  // namespace

std::unique_ptr<TrainingProcesses> make_training_processes(const TrainingSettings& settings) {
  return std::make_unique<ChildProcesses>(settings);
}

}  // namespace runner
