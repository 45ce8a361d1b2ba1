#include "results/store/fold.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "lcsm/files/open_file.h"
#include "lcsm/files/whole_file.h"
#include "results/store/event_folder.h"
#include "results/store/published_rows.h"
#include "results/store/schema.h"
#include "results/store/store.h"

namespace results {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNewFile = ".results-new.db";

void remove_with_journals(const fs::path& file) {
  for (const char* end : {"-journal", "-wal", "-shm", ""}) fs::remove(file.string() + end);
}

// A journal left by an interrupted writer belongs to the old file: it must be played back or
// removed before another file takes that name.
void settle_old(const fs::path& file) {
  try {
    Database old(file, Database::Mode::kWrite);
    old.run("PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE; COMMIT");
  } catch (const DatabaseError&) {
    remove_with_journals(file);
  }
}

void sync_file(const fs::path& path) {
  const lcsm::OpenFile file(path, O_RDONLY);
  if (!file.is_open() || fsync(file.handle()) != 0)
    throw std::system_error(errno, std::generic_category(), path.string() + " cannot be synced");
}

}  // namespace

FoldReport fold(const fs::path& workspace, const FoldOptions& options) {
  const StoreLock lock(workspace);
  const auto database = open_for_writing(workspace);
  return EventFolder(workspace, *database, options).fold_all();
}

FoldReport rebuild(const fs::path& workspace, const FoldOptions& options) {
  const StoreLock lock(workspace);
  const fs::path fresh = workspace / kNewFile, file = workspace / kDatabaseFile;
  remove_with_journals(fresh);
  FoldReport report;
  {
    Database database(fresh, Database::Mode::kWrite);
    database.run(kLargePages);
    // No reader sees the file before it is complete; the next rebuild discards an unfinished one.
    database.run("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
    migrate(database);
    store_published(database);
    report = EventFolder(workspace, database, options).fold_all();
  }
  sync_file(fresh);
  if (fs::exists(file)) settle_old(file);
  fs::rename(fresh, file);
  lcsm::sync_folder(workspace);
  return report;
}

}  // namespace results
