// Derives the state of a run from its folder, or from the scheduler that runs it.
#pragma once

#include "results/events/run_state.h"

namespace runner {

struct RunEvidence {
  results::RunState last = results::RunState::kNew;  // how its last process ended
  bool running = false;
  bool cancelled = false;
  bool again = false;  // a scheduler or a user restarts it
};

constexpr results::RunState state_of(const RunEvidence& known) {
  using enum results::RunState;
  if (known.running) return kRunning;
  if (known.last == kDone || known.last == kRefused) return known.last;
  if (known.cancelled) return kCancelled;
  return known.again && has_failed(known.last) ? kWaiting : known.last;
}

}  // namespace runner
