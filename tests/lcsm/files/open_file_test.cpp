#include "lcsm/files/open_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>

#include "tests/runner/run_program.h"

namespace lcsm {

TEST(OpenFile, MovesItsHandle) {
  const runner::ScratchFolder scratch;
  std::ofstream(scratch.path() / "a") << "x";
  OpenFile first(scratch.path() / "a", O_RDONLY);
  const OpenFile second = std::move(first);
  EXPECT_TRUE(second.is_open());
  EXPECT_FALSE(first.is_open());
  EXPECT_FALSE(OpenFile(scratch.path() / "b", O_RDONLY).is_open());
}

TEST(OpenFile, WritesThroughNoLink) {
  const runner::ScratchFolder scratch;
  const auto link = scratch.path() / "link", target = scratch.path() / "target";
  std::ofstream(target) << "x";
  std::filesystem::create_symlink(target, link);
  EXPECT_TRUE(OpenFile(link, O_RDONLY).is_open());
  for (const int flags :
       {O_WRONLY, O_RDWR | O_CREAT, O_WRONLY | O_CREAT | O_TRUNC, O_RDWR | O_CREAT | O_APPEND}) {
    EXPECT_FALSE(OpenFile(link, flags).is_open());
    EXPECT_EQ(errno, ELOOP);
  }
  EXPECT_EQ(runner::read_file(target), "x");
}

TEST(OpenFile, ReportsAWriteThatFails) {
  const OpenFile full("/dev/full", O_WRONLY);
  ASSERT_TRUE(full.is_open());
  EXPECT_FALSE(write_all(full.handle(), "x"));
  EXPECT_EQ(errno, ENOSPC);
}

}  // namespace lcsm
