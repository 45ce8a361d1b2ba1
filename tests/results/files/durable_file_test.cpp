#include "results/files/durable_file.h"

#include <gtest/gtest.h>

#include <system_error>

#include "tests/results/fixture.h"

namespace results {

TEST(DurableFile, ReplacesWhatWasThere) {
  const Scratch scratch;
  write_durably(scratch.path() / "a", "one");
  write_durably(scratch.path() / "a", "two");
  EXPECT_EQ(read_text(scratch.path() / "a"), "two");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 1);
}

TEST(DurableFile, SaysWhatCannotBeWritten) {
  const Scratch scratch;
  EXPECT_THROW(write_durably(scratch.path() / "missing" / "a", "x"), std::system_error);
  std::filesystem::create_directory(scratch.path() / "folder");
  EXPECT_THROW(write_durably(scratch.path() / "folder", "x"), std::system_error);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 1);
}

TEST(OpenFile, MovesItsHandle) {
  const Scratch scratch;
  write_text(scratch.path() / "a", "x");
  OpenFile first(scratch.path() / "a", 0);
  const OpenFile second = std::move(first);
  EXPECT_TRUE(second.is_open());
  EXPECT_FALSE(OpenFile(scratch.path() / "b", 0).is_open());
}

}  // namespace results
