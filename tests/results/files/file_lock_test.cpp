#include "results/files/file_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lcsm/files/open_file.h"
#include "tests/results/fixture.h"

namespace results {

TEST(FileLock, HasOneHolderAtATime) {
  const Scratch scratch;
  const auto path = scratch.path() / "a";
  lcsm::OpenFile first(path, O_RDWR | O_CREAT);
  const lcsm::OpenFile second(path, O_RDWR);
  EXPECT_FALSE(is_being_written(path));
  EXPECT_TRUE(lock_for_writing(first.handle()));
  EXPECT_TRUE(is_being_written(path));
  EXPECT_FALSE(lock_for_writing(second.handle()));
  { const lcsm::OpenFile closed = std::move(first); }
  EXPECT_TRUE(lock_for_writing(second.handle()));
}

TEST(FileLock, EndsWithAKilledProcess) {
  const Scratch scratch;
  const auto path = scratch.path() / "a";
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const lcsm::OpenFile file(path, O_RDWR | O_CREAT);
    lock_for_writing(file.handle());
    if (write(ready[1], "x", 1) == 1) pause();
    _exit(1);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_TRUE(is_being_written(path));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(is_being_written(path));
}

TEST(FileLock, AMissingFileHasNoWriter) { EXPECT_FALSE(is_being_written("/no/such/file")); }

}  // namespace results
