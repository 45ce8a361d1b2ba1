// Decides when to poll the queue again: soon at first, then ever more rarely while nothing changes,
// so that a week's sweep asks slurmctld once a minute.
#pragma once

#include <algorithm>

namespace runner {

class LookTimer {
 public:
  static constexpr double kSoon = 2, kRarely = 60;  // seconds

  explicit LookTimer(double now) : next_(now) {}

  bool is_due(double now) const { return now >= next_; }
  void looked(double now, bool changed) {
    wait_ = changed ? kSoon : std::min(2 * wait_, kRarely);
    next_ = now + wait_;
  }

 private:
  double wait_ = kSoon, next_;
};

}  // namespace runner
