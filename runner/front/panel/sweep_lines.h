// Prints a line per finished run when `lcsm run` has no panel.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runner/base/process/steady_time.h"
#include "runner/sweeps/schedule/conductor.h"

namespace runner {

class SweepLines {
 public:
  using Print = std::function<void(const std::string& line)>;
  using Clock = std::function<double()>;

  SweepLines(const std::vector<RunToDo>& runs, Print print, Clock clock = steady_seconds);

  SweepRunWatcher watcher();
  const std::vector<std::string>& bad() const { return bad_; }  // lines of failed runs

 private:
  // ", 4 min left", from the time in which runs trained, so without pauses. A run in progress
  // counts as half done.
  std::string left(const Scheduler& scheduler) const;
  void line(std::size_t job, const std::string& what, bool bad);
  void started();
  void ended(const Scheduler& scheduler, std::size_t job, const Ended& ended);

  const std::vector<RunToDo>& runs_;
  Print print_;
  Clock clock_;
  std::vector<std::string> bad_;
  std::size_t to_start_, ended_ = 0;
  double trained_ = 0;                // seconds until now, or until `since_`
  std::optional<double> since_ = {};  // when the first of the runs in progress started
};

}  // namespace runner
