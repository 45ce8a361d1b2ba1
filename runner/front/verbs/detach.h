// Lets `lcsm run` go on in the background.
#pragma once

#include <filesystem>
#include <string>

#include "lcsm/files/open_file.h"

namespace runner {

inline constexpr const char* kDetachedLog = "run.log";  // in the workspace

// Returns true in a new process, in a session of its own, whose output is appended to the log. The
// caller waits until that process runs the workspace or waits for it, says so, and returns false.
// If it ends before, the caller prints its output and ends in the same way. Throws Failure.
bool goes_on_detached(const std::filesystem::path& workspace);

// ----- Its parts -----

lcsm::OpenFile detached_log(const std::filesystem::path& workspace);  // throws Failure

// This process begins a session; its output is appended to the log.
void leave_terminal(const lcsm::OpenFile& log);

// What tells the user about the process that goes on.
std::string detached_text(int process, const std::filesystem::path& workspace);

}  // namespace runner
