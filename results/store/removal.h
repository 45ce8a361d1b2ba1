// Removes runs from a workspace: into an archive, which is a workspace too, or for good.
#pragma once

#include <filesystem>
#include <string>

namespace results {

// Removes a run's folder, at once for all readers. Throws std::runtime_error if a process is
// writing it.
void forget_run(const std::filesystem::path& workspace, const std::string& id);

// Copies a run to the workspace `archive` as `merge` does, then forgets it here. Killed in between,
// both have it, and the next call goes on. Throws std::runtime_error if the copy was refused or is
// not the whole run; then it stays.
void archive_run(const std::filesystem::path& workspace, const std::filesystem::path& archive,
                 const std::string& id);

}  // namespace results
