#include "runner/base/process/stop_signals.h"

namespace runner {
namespace {

volatile std::sig_atomic_t received_signal = 0;
void note(int signal) { received_signal = signal; }

}  // namespace

StopSignals::StopSignals() {
  received_signal = 0;
  for (const int number : {SIGINT, SIGTERM, SIGUSR2})
    actions_.set(number, note, SA_RESTART | static_cast<int>(SA_RESETHAND));
  actions_.set_unless_ignored(SIGHUP, note, SA_RESTART);
  actions_.set(SIGPIPE, SIG_IGN);
}

int StopSignals::received() { return received_signal; }

}  // namespace runner
