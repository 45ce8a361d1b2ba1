// Deletes runs from a workspace, or moves them to an archive, which is a workspace too.
#pragma once

#include <filesystem>
#include <string>

namespace results {

// Removes a run's folder, at once for all readers. Throws std::runtime_error if a process is
// writing it.
void forget_run(const std::filesystem::path& workspace, const std::string& id);

// Copies a run to the workspace `archive` as `merge` does, then forgets it here. If it is killed in
// between, both have the run and the next call continues. Throws std::runtime_error, and keeps the
// run here, if the copy was refused or is incomplete.
void archive_run(const std::filesystem::path& workspace, const std::filesystem::path& archive,
                 const std::string& id);

}  // namespace results
