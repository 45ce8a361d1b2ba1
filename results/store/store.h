// The database of a workspace, `results.db`: an index of its run folders that can be made again.
#pragma once

#include <filesystem>
#include <memory>

#include "lcsm/files/open_file.h"
#include "results/store/database.h"

namespace results {

// For a database that is not there yet. A table of many runs reads nearly all of it: in a quarter
// of the calls that SQLite's usual pages take.
inline constexpr const char* kLargePages = "PRAGMA page_size = 16384";

inline constexpr std::string_view kDatabaseFile = "results.db";
inline constexpr std::string_view kStoreLock = ".results.lock";

// Held by the one process that writes the database or joins run folders. Waits up to a minute for
// another; then throws std::runtime_error.
class StoreLock {
 public:
  explicit StoreLock(const std::filesystem::path& workspace);

 private:
  lcsm::OpenFile file_;
};

// Opened for writing, at the newest version, in the journal mode that is safe where it lies. Ask
// for it only with the lock in hand.
std::unique_ptr<Database> open_for_writing(const std::filesystem::path& workspace);

// Read-only. Throws std::runtime_error when there is none, or one of another version.
std::unique_ptr<Database> open_for_reading(const std::filesystem::path& workspace);

}  // namespace results
