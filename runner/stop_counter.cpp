#include "runner/stop_counter.h"

namespace runner {
namespace {

volatile std::sig_atomic_t stop_signals = 0;
void count_signal(int) { stop_signals = stop_signals + 1; }

}  // namespace

StopCounter::StopCounter() {
  stop_signals = 0;
  struct sigaction counted = {};
  counted.sa_handler = count_signal;
  sigaction(SIGINT, &counted, &before_[0]);
  sigaction(SIGTERM, &counted, &before_[1]);
}

StopCounter::~StopCounter() {
  sigaction(SIGINT, &before_[0], nullptr);
  sigaction(SIGTERM, &before_[1], nullptr);
}

int StopCounter::count() { return stop_signals; }

}  // namespace runner
