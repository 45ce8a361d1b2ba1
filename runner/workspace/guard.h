// Detects that a workspace in use was removed, moved or unmounted, since another process may run
// the one in its place.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

namespace runner {

class WorkspaceGuard {
 public:
  // The caller has locked the workspace.
  explicit WorkspaceGuard(const std::filesystem::path& workspace);

  // "W/runs was removed", "W/runs was replaced"; "" if all is well.
  std::string trouble() const;

 private:
  struct Watched {
    std::filesystem::path path;
    std::uint64_t device = 0, inode = 0;  // 0: did not exist
  };
  std::array<Watched, 2> watched_;
};

}  // namespace runner
