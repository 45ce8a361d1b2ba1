#include "results/store/store.h"

#include <gtest/gtest.h>

#include "results/files/file_lock.h"
#include "results/store/fold.h"
#include "results/store/schema.h"
#include "tests/results/fixture.h"
#include "tests/results/store/dump.h"

namespace results {

TEST(Store, HasOneWriterAndAnyNumberOfReaders) {
  const Scratch scratch;
  const StoreLock lock(scratch.path());
  EXPECT_TRUE(is_being_written(scratch.path() / kStoreLock));
  const auto writer = open_for_writing(scratch.path());
  const auto reader = open_for_reading(scratch.path());
  EXPECT_EQ(reader->integer("SELECT count(*) FROM runs"), 0);
  EXPECT_THROW(reader->run("DELETE FROM runs"), DatabaseError);
}

TEST(Store, AReaderSaysWhatIsMissing) {
  const Scratch scratch;
  EXPECT_THROW(open_for_reading(scratch.path()), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / kDatabaseFile));
}

TEST(Store, EveryTableIsStrictAndForeignKeysHold) {
  const Scratch scratch;
  write_run(scratch.path(), {});
  fold(scratch.path());
  EXPECT_EQ(answer(scratch.path(),
                   "SELECT name FROM pragma_table_list "
                   "WHERE type = 'table' AND NOT strict AND name NOT LIKE 'sqlite_%'"),
            "");
  EXPECT_EQ(answer(scratch.path(), "PRAGMA foreign_key_check"), "");
  EXPECT_EQ(answer(scratch.path(), "PRAGMA integrity_check"), "ok\n");
}

}  // namespace results
