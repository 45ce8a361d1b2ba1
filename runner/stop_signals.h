// SIGINT, SIGTERM and SIGUSR2 ask a training to stop at its next step; the second one of a kind
// ends the process as if nobody had listened.
#pragma once

namespace runner {

class StopSignals {
 public:
  StopSignals();   // one at a time
  ~StopSignals();  // the signals do again what they did before
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  static int received();  // the signal's number; 0: none yet
};

}  // namespace runner
