#include "runner/workspace/guard.h"

#include <sys/stat.h>

#include <cerrno>

#include "results/events/run_folder.h"
#include "runner/workspace/run_lock.h"

namespace runner {

namespace fs = std::filesystem;

WorkspaceGuard::WorkspaceGuard(const fs::path& workspace)
    : watched_{{{workspace / results::kRunsFolder, 0, 0}, {workspace / kRunLockFile, 0, 0}}} {
  for (Watched& each : watched_) {
    struct stat facts {};
    if (stat(each.path.c_str(), &facts) != 0) continue;
    each.device = facts.st_dev;
    each.inode = facts.st_ino;
  }
}

std::string WorkspaceGuard::trouble() const {
  for (const Watched& each : watched_) {
    struct stat facts {};
    if (each.inode == 0) continue;
    if (stat(each.path.c_str(), &facts) == 0) {
      if (facts.st_dev != each.device || facts.st_ino != each.inode)
        return each.path.string() + " was replaced";
    } else if (errno == ENOENT || errno == ENOTDIR) {
      return each.path.string() + " was removed";
    }  // the file system may answer again
  }
  return "";
}

}  // namespace runner
