// The one `lcsm run` of a workspace.
#pragma once

#include <filesystem>
#include <string>

#include "lcsm/files/open_file.h"

namespace runner {

// A lock of the kernel, gone with its process however that ends.
class WorkspaceRunLock {
 public:
  // Throws std::runtime_error with who has it.
  WorkspaceRunLock(const std::filesystem::path& workspace, const std::string& sweep);

 private:
  lcsm::OpenFile file_;
};

// Who runs a workspace: "process 123 (quickstart) of ada@abacus since 2026-01-31T12:00:00Z, boot
// 1b4e28ba, started at tick 4711"; "" where nobody does.
std::string who_runs(const std::filesystem::path& workspace);

}  // namespace runner
