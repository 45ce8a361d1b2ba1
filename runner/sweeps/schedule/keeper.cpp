#include "runner/sweeps/schedule/keeper.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "lcsm/files/open_file.h"
#include "results/events/event_file.h"
#include "results/events/run_folder.h"
#include "runner/base/process/process_facts.h"
#include "runner/base/process/stop_signals.h"
#include "runner/base/text/duration.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr double kProgressChecks = 20;  // within stall_seconds

std::int64_t size_of(const fs::path& path) {
  struct stat file {};
  return stat(path.c_str(), &file) == 0 ? file.st_size : 0;
}

}  // namespace

void RunKeeper::started(std::size_t job, pid_t process, const fs::path& folder, double now) {
  Kept kept;
  kept.process = process;
  kept.folder = folder;
  kept.started = kept.moved_at = now;
  kept_[job] = kept;
}

std::vector<RunKeeper::Order> RunKeeper::check(double now) {
  std::vector<Order> orders;
  for (auto& [job, kept] : kept_) {
    check_time(job, kept, now, orders);
    if (limits_.stall_seconds > 0 && now >= kept.next_check) check_progress(job, kept, now, orders);
    if (const std::uintmax_t removed =
            shorten_log(kept.folder / results::kLogFile, limits_.log_bytes);
        removed > 0)
      orders.push_back(
          {job, 0, fmt::format("removed {} bytes from a long {}", removed, results::kLogFile)});
  }
  return orders;
}

void RunKeeper::check_time(std::size_t job, Kept& kept, double now,
                           std::vector<Order>& orders) const {
  const double limit = limits_.timeout_seconds;
  if (!kept.ending && limit > 0 && now - kept.started >= limit) {
    request_end(kept, {results::RunState::kTimeout, "did not end within " + exact_duration(limit)},
                now);
    orders.push_back({job, kStopRequest, "timed out: it writes a checkpoint and stops"});
  }
  if (!kept.ending || kept.killed || now - kept.requested_at < limits_.grace_seconds) return;
  kept.killed = true;
  kept.meaning.why +=
      ", killed " + exact_duration(limits_.grace_seconds) + " after the request to end";
  orders.push_back({job, SIGKILL, "did not end in time: killed"});
}

void RunKeeper::check_progress(std::size_t job, Kept& kept, double now,
                               std::vector<Order>& orders) const {
  kept.next_check = now + limits_.stall_seconds / kProgressChecks;
  const std::int64_t events = size_of(results::event_file(kept.folder));
  const auto facts = facts_of_process(kept.process);
  const std::int64_t used = facts ? facts->used : 0;
  if (events != kept.events || used != kept.used) {
    kept.moved_at = now;
    kept.reported_stall = false;
  }
  kept.events = events;
  kept.used = used;
  if (kept.reported_stall || now - kept.moved_at < limits_.stall_seconds) return;
  kept.reported_stall = true;
  orders.push_back({job, 0,
                    fmt::format("stalled: no event and no CPU time for {}{}",
                                exact_duration(limits_.stall_seconds),
                                facts && facts->state == 'T' ? " (it is stopped)" : "")});
}

void RunKeeper::end(std::size_t job, const Ended& meaning, double now) {
  if (const auto kept = kept_.find(job); kept != kept_.end() && !kept->second.ending)
    request_end(kept->second, meaning, now);
}

bool RunKeeper::is_ending(std::size_t job) const {
  const auto kept = kept_.find(job);
  return kept != kept_.end() && kept->second.ending;
}

void RunKeeper::request_end(Kept& kept, const Ended& meaning, double now) {
  kept.ending = true;
  kept.requested_at = now;
  kept.meaning = meaning;
}

Ended RunKeeper::ended(std::size_t job, const Ended& ended) {
  const auto node = kept_.extract(job);
  if (node.empty()) return ended;
  shorten_log(node.mapped().folder / results::kLogFile, limits_.log_bytes);
  const bool stopped =
      ended.state == results::RunState::kInterrupted || ended.state == results::RunState::kSignal;
  return node.mapped().ending && stopped ? node.mapped().meaning : ended;
}

// The file system collapses the range atomically, so a process that appends meanwhile loses
// nothing. Only whole blocks can be removed.
std::uintmax_t shorten_log(const fs::path& log, std::uintmax_t limit) {
  if (static_cast<std::uintmax_t>(size_of(log)) <= limit) return 0;
  const lcsm::OpenFile file(log, O_WRONLY);
  struct stat facts {};
  if (!file.is_open() || fstat(file.handle(), &facts) != 0) return 0;
  const off_t kept = static_cast<off_t>(limit / 4), block = facts.st_blksize;
  const off_t from = (kept + block - 1) / block * block;
  const off_t to = (facts.st_size - kept) / block * block;
  if (fallocate(file.handle(), FALLOC_FL_COLLAPSE_RANGE, from, to - from) != 0) return 0;
  const std::string note = fmt::format(
      "\n... lcsm run removed the middle here: a log has at most {} bytes ...\n", limit);
  [[maybe_unused]] const ssize_t noted =
      pwrite(file.handle(), note.data(), note.size(), from - static_cast<off_t>(note.size()));
  return static_cast<std::uintmax_t>(to - from);
}

}  // namespace runner
