// SIGINT, SIGTERM, SIGUSR2 and a terminal that hangs up (SIGHUP) ask a training to stop at its next
// step; the second one of a kind ends the process as if nobody had listened, but for SIGHUP, which
// the kernel sends and the shell. A closed pipe ends nothing.
#pragma once

#include "runner/process/signal_actions.h"

namespace runner {

class StopSignals {
 public:
  StopSignals();  // one at a time

  static int received();  // the signal's number; 0: none yet

 private:
  SignalActions actions_;
};

}  // namespace runner
