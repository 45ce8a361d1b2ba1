#include "runner/base/process/stop_signals.h"

#include <atomic>

namespace runner {
namespace {

// Any thread may receive a signal, also while another one counts one.
using Number = std::atomic<int>;
static_assert(Number::is_always_lock_free);

Number received_signal = 0;
void note(int signal) { received_signal = signal; }

Number stop_signals = 0, hung_up = 0, warnings = 0;
int living = 0;
void count_signal(int) { ++stop_signals; }
void count_warning(int) {
  warnings = 1;
  ++stop_signals;
}
void ignore_signal(int) {}  // unlike SIG_IGN not inherited by runs
void note_hang_up(int) { hung_up = 1; }

}  // namespace

StopSignals::StopSignals() {
  received_signal = 0;
  for (const int number : {SIGINT, SIGTERM})
    actions_.set(number, note, SA_RESTART | static_cast<int>(SA_RESETHAND));
  actions_.set(SIGUSR2, note, SA_RESTART);
  actions_.set_unless_ignored(SIGHUP, note, SA_RESTART);
  actions_.set(SIGPIPE, SIG_IGN);
}

int StopSignals::received() { return received_signal; }

StopCounter::StopCounter(Second second) {
  if (living++ == 0) {
    stop_signals = 0;
    hung_up = 0;
    warnings = 0;
  }
  const int once = second == Second::kEnds ? static_cast<int>(SA_RESETHAND) : 0;
  actions_.set(SIGINT, count_signal, once);
  actions_.set(SIGTERM, count_signal, once);
  actions_.set(SIGUSR2, count_warning);  // Slurm's `--signal=USR2@120`
  actions_.set(SIGUSR1, ignore_signal);
  actions_.set_unless_ignored(SIGHUP, note_hang_up);
}

StopCounter::~StopCounter() { --living; }

int StopCounter::count() { return stop_signals + hung_up; }

bool StopCounter::warned() { return warnings != 0; }

}  // namespace runner
