#include "runner/sweeps/schedule/conductor_parts.h"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "results/events/run_folder.h"
#include "runner/base/files/text_tail.h"
#include "runner/base/process/process_facts.h"
#include "runner/base/process/run_end.h"
#include "runner/base/text/duration.h"
#include "runner/sweeps/plan/run_feed.h"

namespace runner {
namespace {

// True if the run failed before its first event, so that its message is only in the log.
bool starts_nothing(results::RunState state) {
  return state == results::RunState::kConfiguration || state == results::RunState::kDataMissing;
}

// The last message that a program wrote; source lines below it are indented.
std::string last_message(const std::filesystem::path& log) {
  constexpr std::size_t kLines = 8;
  constexpr std::uintmax_t kBytes = 4096;
  constexpr std::string_view kSpeaker = "lcsm-train run: ";
  std::string message;
  for (const std::string& line : last_lines(log, kLines, kBytes))
    if (!line.empty() && !line.starts_with(' ')) message = line;
  return message.starts_with(kSpeaker) ? message.substr(kSpeaker.size()) : message;
}

}  // namespace

std::vector<Job> jobs_of(const std::vector<RunToDo>& runs) {
  std::vector<Job> jobs;
  for (const RunToDo& run : runs) jobs.push_back(run.job);
  return jobs;
}

std::vector<Device> devices_of(const std::vector<std::string>& names) {
  std::vector<Device> devices;
  for (const std::string& name : names) devices.push_back({name, 0});
  return devices;
}

Ended with_message(Ended ended, const std::filesystem::path& folder) {
  const bool by_itself =
      exit_status_of(ended.state) >= 0 && ended.state != results::RunState::kBusy;
  if (!by_itself || ended.state == results::RunState::kDone) return ended;
  RunFeed events(folder);
  events.refresh();
  const RunProgress& progress = events.progress();
  if (progress.last != results::RunState::kRunning && !progress.message.empty())
    ended.why = progress.message;
  else if (const std::string said = last_message(folder / results::kLogFile);
           starts_nothing(ended.state) && !said.empty())
    ended.why = said;
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

double least_disk_bytes(const std::vector<RunToDo>& runs, int jobs) {
  constexpr double kSpare = 20e6;  // logs, events and the database
  constexpr double kUnfinished = 1.5;
  double largest = 0;
  for (const RunToDo& run : runs) largest = std::max(largest, run.disk_bytes);
  return kSpare + std::max(1, jobs) * kUnfinished * largest;
}

double free_bytes(const std::filesystem::path& folder) {
  struct statvfs space = {};
  if (statvfs(folder.c_str(), &space) != 0) return INFINITY;
  return static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
}

std::string little_disk(double free) {
  constexpr double kLittle = 500e6;
  if (free >= kLittle) return "";
  return size_text(free) + " of disk space left: a run starts only if its checkpoints fit";
}

}  // namespace runner
