#include "runner/stop_signals.h"

#include <signal.h>

#include <array>

namespace runner {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGUSR2};

volatile sig_atomic_t received_signal = 0;
std::array<struct sigaction, kSignals.size()> before{};

void note(int signal) { received_signal = signal; }

}  // namespace

StopSignals::StopSignals() {
  received_signal = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &before[i]);
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before[i], nullptr);
}

int StopSignals::received() { return received_signal; }

}  // namespace runner
