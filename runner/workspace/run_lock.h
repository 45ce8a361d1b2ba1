// The lock that allows one `lcsm run` per workspace.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "lcsm/files/open_file.h"

namespace runner {

inline constexpr const char* kRunLockFile = ".run.lock";

// The process that runs a workspace. `boot` and `started` identify it beyond its number
// (process_facts.h).
struct WorkspaceRunner {
  int process = 0;
  std::string sweep;
  std::string by;     // "ada@abacus"
  std::string since;  // "2026-01-31T12:00:00Z"
  std::string boot;
  std::int64_t started = 0;  // in clock ticks

  std::string name() const;  // "process 123 (quickstart)"
  std::string text() const;  // "process 123 (quickstart) of ada@abacus since 2026-01-31T12:00:00Z"
};

// A file lock, released when its process ends, however that happens.
class WorkspaceRunLock {
 public:
  // Throws std::runtime_error that names the process which holds it.
  WorkspaceRunLock(const std::filesystem::path& workspace, const std::string& sweep);

 private:
  lcsm::OpenFile file_;
};

// nullopt: no process runs the workspace.
std::optional<WorkspaceRunner> who_runs(const std::filesystem::path& workspace);

}  // namespace runner
