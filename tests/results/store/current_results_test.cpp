#include "results/store/current_results.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cerrno>

#include "results/files/file_lock.h"
#include "tests/results/fixture.h"
#include "tests/results/kill_at_write.h"
#include "tests/results/store/dump.h"

namespace results {
namespace {

namespace fs = std::filesystem;
using Source = CurrentResults::Source;
using Mode = Database::Mode;

constexpr std::chrono::milliseconds kPatience{20};

// A workspace with one run that was folded and one that was not.
class Current : public testing::Test {
 protected:
  Current() {
    write_run(scratch_.path(), {.number = 1, .sweep = "s"});
    fold(scratch_.path());
    write_run(scratch_.path(), {.number = 2, .sweep = "s"});
  }

  CurrentResults current() const {
    return current_results(scratch_.path(), {.patience = kPatience});
  }
  fs::path file() const { return scratch_.path() / kDatabaseFile; }

  // The results that every reader must get, for any state of results.db.
  std::string truth() const {
    const Scratch copy;
    fs::copy(scratch_.path() / kRunsFolder, copy.path() / kRunsFolder, fs::copy_options::recursive);
    rebuild(copy.path());
    return dump(copy.path());
  }

  void expect_in_memory(const std::string& trouble) const {
    const std::string before = read_text(file());
    const CurrentResults found = current();
    EXPECT_EQ(found.source, Source::kMemory);
    EXPECT_NE(found.trouble.find(trouble), std::string::npos) << found.trouble;
    EXPECT_EQ(dump(*found.database), truth());
    EXPECT_EQ(read_text(file()), before);
  }

  Scratch scratch_;
};

}  // namespace

TEST_F(Current, IsTheFileWhereItCanBeWritten) {
  const CurrentResults found = current();
  EXPECT_EQ(found.source, Source::kFile);
  EXPECT_EQ(found.trouble, "");
  EXPECT_EQ(dump(*found.database), truth());
}

// As `sqlite3 results.db ... | less` and a notebook's cursor do.
TEST_F(Current, AReaderWithAnOpenStatementNeitherBlocksNorChanges) {
  Database foreign(file(), Mode::kRead);
  Statement rows(foreign, "SELECT id FROM runs UNION ALL SELECT id FROM runs");
  ASSERT_TRUE(rows.step());
  const CurrentResults found = current();
  EXPECT_EQ(found.source, Source::kFile);
  EXPECT_EQ(dump(*found.database), truth());
  EXPECT_TRUE(rows.step());
  EXPECT_FALSE(rows.step());  // the one run of its snapshot, twice
  EXPECT_EQ(foreign.integer("SELECT count(*) FROM runs"), 1);
  write_run(scratch_.path(), {.number = 3});
  EXPECT_EQ(dump(*current().database), truth());
}

TEST_F(Current, TheSwappedFileKeepsItsPermissions) {
  fs::permissions(file(), fs::perms::owner_all);
  Database foreign(file(), Mode::kRead);
  Statement rows(foreign, "SELECT id FROM runs");
  ASSERT_TRUE(rows.step());
  EXPECT_EQ(current().source, Source::kFile);
  EXPECT_EQ(fs::status(file()).permissions(), fs::perms::owner_all);
  EXPECT_EQ(dump(scratch_.path()), truth());
}

TEST_F(Current, ALinkIsNeitherReadNorWritten) {
  const fs::path elsewhere = scratch_.path() / "elsewhere.db";
  fs::rename(file(), elsewhere);
  fs::create_symlink(elsewhere, file());
  const std::string before = read_text(elsewhere);
  const CurrentResults found = current();
  EXPECT_EQ(found.source, Source::kMemory);
  EXPECT_NE(found.trouble.find("results.db is a symbolic link"), std::string::npos);
  EXPECT_EQ(dump(*found.database), truth());
  rebuild(scratch_.path());
  EXPECT_FALSE(fs::is_symlink(file())) << "the link is replaced";
  EXPECT_EQ(read_text(elsewhere), before);
}

TEST_F(Current, AForeignWriterIsNotWaitedFor) {
  Database foreign(file(), Mode::kWrite);
  const Transaction transaction(foreign);
  expect_in_memory("locked");
}

TEST_F(Current, AnExclusiveLockKeepsEvenReadersOut) {
  Database foreign(file(), Mode::kWrite);
  foreign.run("BEGIN EXCLUSIVE");
  expect_in_memory("locked");
}

// The journal of a writer that begins after a swap would belong to the old file.
TEST_F(Current, AWriterOfTheOldFileIsRefused) {
  Database foreign(file(), Mode::kWrite);
  {
    Statement rows(foreign, "SELECT id FROM runs");
    ASSERT_TRUE(rows.step());
    EXPECT_EQ(current().source, Source::kFile);
  }
  EXPECT_THROW(foreign.run("DELETE FROM runs"), DatabaseError);
  EXPECT_FALSE(fs::exists(file().string() + "-journal"));
  EXPECT_EQ(dump(scratch_.path()), truth());
}

TEST_F(Current, AnotherProcessThatFoldsIsNotWaitedFor) {
  const StoreLock lock(scratch_.path());
  expect_in_memory("another lcsm is writing it");
}

TEST_F(Current, ADamagedFileIsNotNeeded) {
  write_text(file(), "no database");
  expect_in_memory("not a database");
}

TEST_F(Current, ADamagedPageIsNotNeeded) {
  std::string bytes = read_text(file());
  for (std::size_t i = 16384; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 37);
  write_text(file(), bytes);
  EXPECT_EQ(dump(*current().database), truth());
}

TEST_F(Current, ADatabaseOfAnotherProgramIsLeftAlone) {
  fs::remove(file());
  Database(file(), Mode::kWrite).run("CREATE TABLE mine (x)");
  expect_in_memory("another program");
  EXPECT_THROW(rebuild(scratch_.path()), std::runtime_error);
  EXPECT_EQ(Database(file(), Mode::kRead).integer("SELECT count(*) FROM mine"), 0);
}

TEST_F(Current, IsWhatWasFoldedLastWhereRunsCannotBeListed) {
  current();
  const std::string before = truth();
  const fs::path runs = scratch_.path() / kRunsFolder;
  fs::rename(runs, scratch_.path() / "moved");
  fs::create_symlink(runs, runs);
  const CurrentResults found = current();
  EXPECT_EQ(found.source, Source::kStale);
  EXPECT_EQ(dump(*found.database), before);
}

// Readers get equal results if no write succeeds, or one fails.
TEST_F(Current, IsTheSameWhicheverWriteFails) {
  const std::string wanted = truth();
  const Scratch before;
  fs::copy(scratch_.path(), before.path(), fs::copy_options::recursive);
  for (const int error : {ENOSPC, EIO})
    for (const bool lasts : {false, true})
      for (int n = 1;; n += kStride) {
        fs::remove_all(scratch_.path());
        fs::copy(before.path(), scratch_.path(), fs::copy_options::recursive);
        CurrentResults found;
        const auto reached = failing_at(n, error, lasts, [&] {
          found = current();
          return 0;
        });
        ASSERT_EQ(dump(*found.database), wanted)
            << "errno " << error << " at change " << n << (lasts ? " and after it" : "");
        found = {};
        ASSERT_EQ(dump(*current().database), wanted)
            << "afterwards: errno " << error << " at " << n;
        if (!reached) {
          EXPECT_GT(n, 5);
          break;
        }
      }
}

// EAGAIN of a lock is SQLITE_BUSY.
TEST_F(Current, IsTheSameWhicheverLockIsRefused) {
  const std::string wanted = truth();
  for (const bool lasts : {false, true})
    for (int n = 1;; ++n) {
      std::string read;
      const auto reached = refusing_locks_at(n, lasts, [&] {
        read = dump(*current().database);
        return 0;
      });
      ASSERT_EQ(read, wanted) << "lock " << n << (lasts ? " and all after it" : "");
      if (!reached) {
        EXPECT_GT(n, 5);
        break;
      }
    }
}

}  // namespace results
