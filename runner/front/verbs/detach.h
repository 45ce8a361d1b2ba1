// Lets `lcsm run` go on in the background.
#pragma once

#include <filesystem>

namespace runner {

inline constexpr const char* kDetachedLog = "run.log";  // in the workspace

// Returns true in a new process, in a session of its own, whose output is appended to the log. The
// caller waits until that process runs the workspace, says so, and returns false. If it ends
// before, the caller prints its output and ends in the same way. Throws Failure.
bool goes_on_detached(const std::filesystem::path& workspace);

}  // namespace runner
