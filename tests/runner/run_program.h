// Runs a program as a user would: into pipes, or on a terminal of 80 x 24.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace runner {

using Words = std::vector<std::string>;

// The last line, with its newline.
inline std::string last_line(const std::string& text) {
  const std::size_t end = text.size() < 2 ? std::string::npos : text.rfind('\n', text.size() - 2);
  return end == std::string::npos ? text : text.substr(end + 1);
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Ran {
  int status = -1;  // exit status; 128 + signal when a signal ended it
  std::string out, err;
};

// The path of a program built with this test; empty if it was not built.
std::filesystem::path program_beside(const std::string& name);

// `environment`: "NAME=value" besides PATH, HOME and TERM=xterm; nothing else is inherited.
Ran run_program(const Words& command, const Words& environment = {});

// Runs `lcsm`, which is built before the tests of its verbs.
Ran run_lcsm(Words words, const Words& environment = {});

// Runs the program on a terminal: both streams in `out`, line ends as a newline. `typed` is the
// keyboard input.
Ran run_on_terminal(const Words& command, const Words& environment = {},
                    const std::string& typed = "");

// Called in a forked child: executes the program with this environment.
[[noreturn]] void become_program(const Words& command, const Words& environment);

// Redirects the output of this process to files during its lifetime.
class OutputInto {
 public:
  OutputInto(const std::filesystem::path& out, const std::filesystem::path& err);
  ~OutputInto();
  OutputInto(const OutputInto&) = delete;
  OutputInto& operator=(const OutputInto&) = delete;

 private:
  int out_, err_;  // the original ones
};

// A temporary folder, removed at the end; in memory if possible, since thousands of files are
// synced.
class ScratchFolder {
 public:
  ScratchFolder();
  explicit ScratchFolder(const std::filesystem::path& parent);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// True if the file system can collapse a range of a file; a memory file system cannot.
bool can_cut_files(const std::filesystem::path& folder);

std::string read_file(const std::filesystem::path& path);

// Waits until the condition holds, for at most half a minute. Returns whether it does.
bool comes_true(const std::function<bool()>& condition);

}  // namespace runner
