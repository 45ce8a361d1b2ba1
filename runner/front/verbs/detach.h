// Continues `lcsm run` in the background.
#pragma once

#include <filesystem>
#include <string>

#include "lcsm/files/open_file.h"

namespace runner {

inline constexpr const char* kDetachedLog = "run.log";  // in the workspace

// Forks. Returns true in the child, which has its own session and appends its output to the log.
// The parent waits until the child runs the workspace or waits for it, reports that, and returns
// false. If the child ends before, the parent prints its output and ends with its exit code. Throws
// Failure.
bool goes_on_detached(const std::filesystem::path& workspace);

// ----- Its parts -----

lcsm::OpenFile detached_log(const std::filesystem::path& workspace);  // throws Failure

// Begins a session in this process and appends its output to the log.
void leave_terminal(const lcsm::OpenFile& log);

// The message about the process in the background.
std::string detached_text(int process, const std::filesystem::path& workspace);

}  // namespace runner
