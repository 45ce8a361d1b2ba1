// What is told on the way. It ends no work: not where the terminal is gone, nobody reads the pipe,
// or the disk behind it is full.
#pragma once

#include <cstdio>
#include <string>

namespace runner {

inline void tell(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace runner
