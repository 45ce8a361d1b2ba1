// Counts requests to stop, SIGINT and SIGTERM, during its lifetime. SIGHUP counts once: when a
// terminal hangs up, both the kernel and the shell send it.
#pragma once

#include "runner/process/signal_actions.h"

namespace runner {

class StopCounter {
 public:
  StopCounter();  // one instance at a time; starts at 0

  static int count();

 private:
  SignalActions actions_;
};

}  // namespace runner
