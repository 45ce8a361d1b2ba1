// A process that gives a terminal back after this one was killed in a way that it cannot handle
// (kill -9, out of memory).
#pragma once

#include <termios.h>

#include <string_view>

namespace runner {

class ScreenGuard {
 public:
  // Without one (fork failed) nothing is guarded. `leave` is written after the modes are restored.
  ScreenGuard(int terminal, const termios& modes, std::string_view leave);
  ~ScreenGuard();  // the guard ends; it gives the terminal back if that is still taken
  ScreenGuard(const ScreenGuard&) = delete;
  ScreenGuard& operator=(const ScreenGuard&) = delete;

  // Whether there is anything to give back from now on. Async-signal-safe.
  void tell(bool taken) const;

 private:
  int handle_ = -1;
};

}  // namespace runner
