// Makes SIGINT, SIGTERM, SIGUSR2 and SIGHUP (the terminal hung up) ask lcsm-train to stop at its
// next step. The second signal of a kind ends the process, except SIGHUP, which both the kernel and
// the shell send. SIGPIPE is ignored.
#pragma once

#include "runner/base/process/signal_actions.h"

namespace runner {

class StopSignals {
 public:
  StopSignals();  // one instance at a time

  static int received();  // the signal's number; 0: none yet

 private:
  SignalActions actions_;
};

}  // namespace runner
