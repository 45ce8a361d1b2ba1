#include "runner/schedule/conductor_parts.h"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "runner/process/process_facts.h"

namespace runner {

ChildProcess start_training(const SweepRunSettings& settings, const RunToDo& run,
                            const std::filesystem::path& folder, std::size_t device) {
  std::vector<std::string> words = {settings.trainer.string(), "run",
                                    (folder / results::kConfigFile).string(), "--workspace",
                                    settings.workspace.string()};
  if (run.threads == 0)
    words.insert(words.end(), {"--set", "run.threads=" + std::to_string(settings.threads)});
  const std::filesystem::path log = folder / results::kLogFile;
  if (settings.gpus.empty()) return ChildProcess(words, log);
  words.insert(words.end(), {"--set", "run.device=cuda"});
  return ChildProcess(words, log, {"CUDA_VISIBLE_DEVICES=" + settings.gpus[device]});
}

EndNote note_of(const Scheduler::Entry& entry, const Ended& ended, double now) {
  const bool waits = entry.state == Scheduler::State::kWaiting;
  return {std::string(name_of(ended.outcome)),
          ended.why,
          entry.starts,
          waits ? std::max(0.0, entry.not_before - now) : -1,
          fmt::format("{}, process {}", user_at_host(), getpid()),
          utc_now()};
}

double free_bytes(const std::filesystem::path& folder) {
  struct statvfs space = {};
  if (statvfs(folder.c_str(), &space) != 0) return INFINITY;
  return static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
}

// One that was held and that nobody wanted is no part of it.
SweepRunResult result_of(const std::vector<RunToDo>& runs, const Scheduler& scheduler,
                         const Control& control) {
  SweepRunResult sum;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Scheduler::Entry& entry = scheduler.entries()[i];
    const bool left = entry.state == Scheduler::State::kLeft;
    const bool cancelled = left && control.cancelled.contains(entry.job.id);
    sum.cancelled += cancelled;
    if (cancelled || (runs[i].held && entry.starts == 0)) continue;
    const bool ended = entry.state == Scheduler::State::kEnded;
    const bool done = ended && entry.outcome == Outcome::kDone;
    sum.done += done;
    sum.failed += (ended && !done) || entry.state == Scheduler::State::kRefused;
    sum.left += !ended && entry.state != Scheduler::State::kRefused;
  }
  return sum;
}

}  // namespace runner
