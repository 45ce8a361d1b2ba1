// Counts requests to stop, SIGINT, SIGTERM and SIGUSR2, during its lifetime. SIGHUP counts once:
// when a terminal hangs up, both the kernel and the shell send it. SIGUSR1 is ignored.
#pragma once

#include "runner/base/process/signal_actions.h"

namespace runner {

class StopCounter {
 public:
  StopCounter();  // starts at 0, unless another one lives
  ~StopCounter();
  StopCounter(const StopCounter&) = delete;
  StopCounter& operator=(const StopCounter&) = delete;

  static int count();
  static bool warned();  // one request was SIGUSR2: the time limit is near

 private:
  SignalActions actions_;
};

}  // namespace runner
