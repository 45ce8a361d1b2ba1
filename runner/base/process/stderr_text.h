// Prints messages to stderr. Errors are ignored: work continues if the terminal is gone, the pipe
// is closed or the disk is full.
#pragma once

#include <cstdio>
#include <string>

#include "lcsm/base/safe_text.h"

namespace runner {

inline void print_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

// Prints text that may come from files, file names or other programs.
inline void print_safe(const std::string& text) { print_stderr(lcsm::safe_lines(text)); }

}  // namespace runner
