// The time between things: seconds since some moment, never back.
#pragma once

#include <chrono>

namespace runner {

inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace runner
