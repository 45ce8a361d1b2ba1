#include "results/store/store.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "lcsm/files/whole_file.h"
#include "results/files/file_lock.h"
#include "results/proofs/workspace.h"
#include "results/store/published_rows.h"
#include "results/store/schema.h"

namespace results {

namespace fs = std::filesystem;

StoreLock::StoreLock(const fs::path& workspace, std::chrono::milliseconds patience)
    : file_(workspace / kStoreLock, O_RDWR | O_CREAT) {
  if (const int error = errno; !file_.is_open())
    throw lcsm::WriteError(
        error, (workspace / kStoreLock).string() + " cannot be opened: " + std::strerror(error));
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!lock_for_writing(file_.handle())) {
    if (std::chrono::steady_clock::now() > deadline)
      throw std::runtime_error(workspace.string() +
                               ": expected to write results.db, but another lcsm is writing it; "
                               "try again when it is done");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

std::unique_ptr<Database> open_for_writing(const fs::path& workspace,
                                           std::chrono::milliseconds patience) {
  auto database =
      std::make_unique<Database>(workspace / kDatabaseFile, Database::Mode::kWrite, patience);
  database->run(kLargePages);
  database->run("PRAGMA journal_mode = " +
                journal_mode_for(file_system_of(workspace).reach, sqlite_version().number));
  // Spilled pages would be written early and lock readers out until the commit.
  database->run("PRAGMA cache_spill = OFF");
  migrate(*database);
  store_published(*database);
  return database;
}

std::unique_ptr<Database> open_for_reading(const fs::path& workspace,
                                           std::chrono::milliseconds patience) {
  const fs::path file = workspace / kDatabaseFile;
  if (!fs::exists(file))
    throw std::runtime_error(file.string() + ": not found; run `lcsm rebuild` to create it");
  auto database = std::make_unique<Database>(file, Database::Mode::kRead, patience);
  expect_newest(*database);
  return database;
}

}  // namespace results
