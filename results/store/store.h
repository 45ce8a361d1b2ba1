// Opens the database of a workspace, `results.db`: an index of its run folders that can be rebuilt.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "lcsm/files/open_file.h"
#include "results/store/database.h"

namespace results {

// Set for new databases. A table over many runs reads nearly the whole file; SQLite's default pages
// of 4 KiB need four times as many calls.
inline constexpr const char* kLargePages = "PRAGMA page_size = 16384";

inline constexpr std::string_view kDatabaseFile = "results.db";
inline constexpr std::string_view kStoreLock = ".results.lock";

inline constexpr std::chrono::milliseconds kPatience = std::chrono::minutes(1), kNoPatience{0};

// Held by the one process that writes the database or merges run folders. Waits up to `patience`
// for another process, then throws std::runtime_error.
class StoreLock {
 public:
  explicit StoreLock(const std::filesystem::path& workspace,
                     std::chrono::milliseconds patience = kPatience);

 private:
  lcsm::OpenFile file_;
};

// Opens the database for writing, migrated to the newest version, in a journal mode that is safe on
// its file system. The caller holds the StoreLock.
std::unique_ptr<Database> open_for_writing(const std::filesystem::path& workspace,
                                           std::chrono::milliseconds patience = kPatience);

// Read-only. Throws std::runtime_error if there is none, or one of another version.
std::unique_ptr<Database> open_for_reading(const std::filesystem::path& workspace,
                                           std::chrono::milliseconds patience = kPatience);

}  // namespace results
