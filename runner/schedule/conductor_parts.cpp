#include "runner/schedule/conductor_parts.h"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "runner/plan/run_feed.h"
#include "runner/process/process_facts.h"
#include "runner/process/run_end.h"
#include "runner/text/duration.h"

namespace runner {

Ended with_message(Ended ended, const std::filesystem::path& folder) {
  const bool by_itself =
      exit_status_of(ended.state) >= 0 && ended.state != results::RunState::kBusy;
  if (!by_itself || ended.state == results::RunState::kDone) return ended;
  RunFeed events(folder);
  events.refresh();
  const RunProgress& progress = events.progress();
  if (progress.last != results::RunState::kRunning && !progress.message.empty())
    ended.why = progress.message;
  return ended;
}

Ended too_large(const Job& job) {
  return {results::RunState::kTooLarge, fmt::format("needs {}, more memory than this host has free",
                                                    size_text(job.memory_bytes))};
}

EndNote note_of(const Scheduler::Entry& entry, const Ended& ended, double now) {
  return {ended.state,
          ended.why,
          entry.starts,
          entry.queued ? std::max(0.0, entry.not_before - now) : -1,
          fmt::format("{}, process {}", user_at_host(), getpid()),
          utc_now()};
}

double free_bytes(const std::filesystem::path& folder) {
  struct statvfs space = {};
  if (statvfs(folder.c_str(), &space) != 0) return INFINITY;
  return static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
}

}  // namespace runner
