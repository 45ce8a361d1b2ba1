// Counts the signals that ask to stop, SIGINT and SIGTERM, while it is there.
#pragma once

#include <csignal>

namespace runner {

class StopCounter {
 public:
  StopCounter();   // one at a time, from 0
  ~StopCounter();  // the signals do again what they did before
  StopCounter(const StopCounter&) = delete;
  StopCounter& operator=(const StopCounter&) = delete;

  static int count();

 private:
  struct sigaction before_[2];
};

}  // namespace runner
