// Prints a line per finished run when `lcsm run` has no panel.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runner/sweeps/schedule/conductor.h"

namespace runner {

class SweepLines {
 public:
  using Print = std::function<void(const std::string& line)>;

  SweepLines(const std::vector<RunToDo>& runs, Print print);

  SweepRunWatcher watcher();
  const std::vector<std::string>& bad() const { return bad_; }  // lines of failed runs

 private:
  // ", 4 min left", from the time that runs took so far. A run in progress counts as half done.
  std::string left(const Scheduler& scheduler) const;
  void line(std::size_t job, const std::string& what, bool bad);
  void ended(const Scheduler& scheduler, std::size_t job, const Ended& ended);

  const std::vector<RunToDo>& runs_;
  Print print_;
  std::vector<std::string> bad_;
  std::size_t to_start_, ended_ = 0;
  double start_;  // steady_seconds()
};

}  // namespace runner
