// A guard process that restores the terminal after this process was killed by a signal that cannot
// be handled (kill -9, out of memory).
#pragma once

#include <termios.h>

#include <string_view>

namespace runner {

class ScreenGuard {
 public:
  // Guards nothing if fork fails. `leave` is written after the modes are restored.
  ScreenGuard(int terminal, const termios& modes, std::string_view leave);
  ~ScreenGuard();  // ends the guard, which restores the terminal if necessary
  ScreenGuard(const ScreenGuard&) = delete;
  ScreenGuard& operator=(const ScreenGuard&) = delete;

  // Tells the guard whether it must restore the terminal from now on. Async-signal-safe.
  void tell(bool taken) const;

 private:
  int handle_ = -1;
};

}  // namespace runner
