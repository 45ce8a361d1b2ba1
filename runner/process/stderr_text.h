// Messages to stderr. Errors are ignored: work continues if the terminal is gone, the pipe is
// closed or the disk is full.
#pragma once

#include <cstdio>
#include <string>

namespace runner {

inline void print_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace runner
