#include "results/store/fold.h"

#include <sqlite3.h>

#include "lcsm/files/whole_file.h"
#include "results/store/event_folder.h"
#include "results/store/schema.h"

namespace results {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNewFile = ".results-new.db";

struct Files {
  fs::path now, fresh;
};

Files files_of(const fs::path& workspace) {
  return {workspace / kDatabaseFile, workspace / kNewFile};
}

void remove_with_journals(const fs::path& file) {
  for (const char* end : {"-journal", "-wal", "-shm", ""}) fs::remove(file.string() + end);
}

void refuse_foreign(const fs::path& file, std::chrono::milliseconds patience) {
  if (!fs::exists(file)) return;
  bool foreign = false;
  try {
    Database old(file, Database::Mode::kRead, patience);
    foreign = old.integer("PRAGMA application_id") != kApplicationId &&
              old.integer("SELECT count(*) FROM sqlite_master") > 0;
  } catch (const DatabaseError& error) {
    if (error.busy())
      throw std::runtime_error(file.string() +
                               ": expected a database that can be read, got one that another "
                               "program has locked; end that program and run `lcsm rebuild` again");
    return;  // damaged
  }
  if (foreign)
    throw std::runtime_error(file.string() +
                             ": expected a results.db, got a database of another program; move it "
                             "elsewhere and run `lcsm rebuild` again");
}

// A journal left by an interrupted writer belongs to the old file: it must be played back or
// removed before another file gets that name.
void settle_old(const fs::path& file) {
  try {
    Database old(file, Database::Mode::kWrite);
    old.run("PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE; COMMIT");
  } catch (const DatabaseError&) {
    remove_with_journals(file);
  }
}

// Folds into a new file, from nothing or from `old`. No reader sees it before it is complete; the
// next call discards an unfinished one.
FoldReport fold_into_new(const Files& files, const fs::path& workspace, const FoldOptions& options,
                         Database* old) {
  remove_with_journals(files.fresh);
  FoldReport report;
  {
    Database database(files.fresh, Database::Mode::kWrite);
    database.run(kLargePages);
    database.run("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
    if (old != nullptr) old->copy_to(database);
    report = fold_into(database, workspace, options);
  }
  if (fs::exists(files.now)) fs::permissions(files.fresh, fs::status(files.now).permissions());
  lcsm::sync_file(files.fresh);
  return report;
}

// Readers of the old file keep what they read. A foreign writer would leave a journal of the old
// file beside the new one: the lock keeps it out until the swap, and SQLite refuses to begin to
// write a file that has lost its name.
FoldReport fold_copy(const fs::path& workspace, const FoldOptions& options) {
  const Files files = files_of(workspace);
  Database writer(files.now, Database::Mode::kWrite, kNoPatience);
  if (writer.text("PRAGMA journal_mode") == "wal")  // readers do not hold it then
    throw DatabaseError(files.now.string() + ": another process is writing it", SQLITE_BUSY);
  const Transaction no_other_writer(writer);
  Database old(files.now, Database::Mode::kRead, kNoPatience);
  FoldReport report = fold_into_new(files, workspace, options, &old);
  fs::rename(files.fresh, files.now);
  lcsm::sync_folder(files.now.parent_path());
  return report;
}

}  // namespace

FoldReport fold(const fs::path& workspace, const FoldOptions& options) {
  const StoreLock lock(workspace, options.patience);
  try {
    const auto database = open_for_writing(workspace, options.patience);
    return EventFolder(workspace, *database, options).fold_all();
  } catch (const DatabaseError& error) {
    if (!error.busy()) throw;
  }
  return fold_copy(workspace, options);
}

FoldReport rebuild(const fs::path& workspace, const FoldOptions& options) {
  const StoreLock lock(workspace, options.patience);
  const Files files = files_of(workspace);
  refuse_foreign(files.now, options.patience);
  const FoldReport report = fold_into_new(files, workspace, options, nullptr);
  if (fs::exists(files.now)) settle_old(files.now);
  fs::rename(files.fresh, files.now);
  lcsm::sync_folder(files.now.parent_path());
  return report;
}

}  // namespace results
