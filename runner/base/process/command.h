// Runs another program, such as `gnuplot --version`, with a timeout.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace runner {

struct CommandResult {
  bool started = false;    // false: not on PATH, or not executable
  bool timed_out = false;  // true: it was killed, with its children
  int exit_code = -1;      // 128 + signal if one killed it
  std::string out, err;

  bool ok() const { return started && !timed_out && exit_code == 0; }
};

// Returns this process's environment with changes: "NAME=value" sets a variable, "NAME" removes it.
std::vector<std::string> environment_with(const std::vector<std::string>& changes);

// `environment` changes this process's. stdin is empty. Once `stop` returns true, the program is
// killed as if its time were up.
CommandResult run_command(const std::vector<std::string>& words, std::chrono::milliseconds limit,
                          const std::vector<std::string>& environment = {},
                          const std::function<bool()>& stop = {});

// Why the command failed: the program's message if it printed one, otherwise how it ended.
std::string trouble_of(const CommandResult& result, const std::string& program);

// The text's first line.
std::string first_line(const std::string& text);

}  // namespace runner
