// Notices that a workspace in use was removed, moved or unmounted: another process may run the one
// that takes its place.
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

  // "W/runs was removed", "W/runs was replaced"; "" while all is there.
  std::string trouble() const;

 private:
  struct Watched {
    std::filesystem::path path;
    std::uint64_t device = 0, inode = 0;  // 0: it was not there
  };
  std::array<Watched, 2> watched_;
};

}  // namespace runner
