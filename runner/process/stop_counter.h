// Counts the signals that ask to stop, SIGINT and SIGTERM, while it is there. A terminal that hangs
// up asks once, however often it is told: the kernel does, and the shell.
#pragma once

#include "runner/process/signal_actions.h"

namespace runner {

class StopCounter {
 public:
  StopCounter();  // one at a time, from 0

  static int count();

 private:
  SignalActions actions_;
};

}  // namespace runner
