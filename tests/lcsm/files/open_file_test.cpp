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

TEST(OpenFile, ReportsAWriteThatFails) {
  const OpenFile full("/dev/full", O_WRONLY);
  ASSERT_TRUE(full.is_open());
  EXPECT_FALSE(write_all(full.handle(), "x"));
  EXPECT_EQ(errno, ENOSPC);
}

}  // namespace lcsm
