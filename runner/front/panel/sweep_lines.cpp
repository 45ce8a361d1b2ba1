#include "runner/front/panel/sweep_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "results/text/escape.h"
#include "runner/base/text/duration.h"
#include "runner/sweeps/schedule/conductor_parts.h"

namespace runner {

SweepLines::SweepLines(const std::vector<RunToDo>& runs, Print print, Clock clock)
    : runs_(runs),
      print_(std::move(print)),
      clock_(std::move(clock)),
      to_start_(count_to_start(runs)) {}

SweepRunWatcher SweepLines::watcher() {
  return {[this](const Scheduler&, std::size_t) { started(); },
          [this](const Scheduler& s, std::size_t job) {
            ++ended_;
            line(job, "refused: " + too_large(s.entries()[job].job).why, true);
          },
          [this](const Scheduler& s, std::size_t job, const Ended& how) { ended(s, job, how); },
          [this](const std::string& text) { print_("lcsm run: " + text); }};
}

void SweepLines::started() {
  if (!since_) since_ = clock_();
}

void SweepLines::ended(const Scheduler& scheduler, std::size_t job, const Ended& ended) {
  if (since_) trained_ += clock_() - *since_;
  since_.reset();
  if (scheduler.running() > 0) started();
  const bool again = scheduler.entries()[job].queued;
  const bool plain =
      ended.state == results::RunState::kDone || ended.state == results::RunState::kInterrupted;
  if (!again) ++ended_;
  line(job,
       fmt::format("{}{}{}", name_of(ended.state), plain ? "" : ": " + ended.why,
                   again ? ", will be retried" : left(scheduler)),
       !plain && !again);
}

std::string SweepLines::left(const Scheduler& scheduler) const {
  double done = 0, rest = 0;
  for (const Scheduler::Entry& entry : scheduler.entries()) {
    const double work = std::max(entry.job.seconds, 1e-3);
    if (entry.running) {
      done += work / 2;
      rest += work / 2;
    } else if (entry.queued && !entry.cancelled) {
      rest += work;
    } else if (entry.starts > 0) {
      done += work;
    }
  }
  if (done == 0 || rest == 0) return "";
  return fmt::format(", {} left", duration_text(trained_ * rest / done));
}

void SweepLines::line(std::size_t job, const std::string& what, bool bad) {
  const std::string text =
      fmt::format("[{}/{}] {}  {}  {}", ended_, std::max(ended_, to_start_),
                  runs_[job].job.id.substr(0, 8), results::safe_text(runs_[job].name), what);
  print_(text);
  if (bad) bad_.push_back(text);
}

}  // namespace runner
