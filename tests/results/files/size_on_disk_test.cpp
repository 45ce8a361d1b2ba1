#include "results/files/size_on_disk.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/results/fixture.h"

namespace results {

namespace fs = std::filesystem;

TEST(SizeOnDisk, CountsTheBytesOfFilesAndNotOfLinks) {
  const Scratch scratch;
  const fs::path folder = scratch.path() / "folder";
  fs::create_directories(folder / "below");
  write_text(folder / "file", "12345");
  write_text(folder / "below" / "file", "123");
  fs::create_symlink("/bin/sh", folder / "link");
  fs::create_directory_symlink("/bin", folder / "links");
  EXPECT_EQ(size_on_disk(folder), 8u);
  EXPECT_EQ(size_on_disk(folder / "file"), 5u);
  EXPECT_EQ(size_on_disk(folder / "link"), 0u);
  EXPECT_EQ(size_on_disk(folder / "none"), 0u);
}

// A run in training writes checkpoints and removes them.
TEST(SizeOnDisk, LeavesOutWhatIsRemovedMeanwhile) {
  const Scratch scratch;
  write_text(scratch.path() / "events", "12345");
  std::atomic<bool> stop = false;
  std::thread training([&] {
    const fs::path checkpoint = scratch.path() / "checkpoint";
    while (!stop) {
      fs::create_directory(checkpoint);
      for (const char* name : {"state", "weights", "order"}) write_text(checkpoint / name, "123");
      fs::remove_all(checkpoint);
    }
  });
  constexpr int kLooks = 2000;  // some of them meet a file that vanishes
  for (int look = 0; look < kLooks; ++look) {
    const std::uintmax_t size = size_on_disk(scratch.path());
    EXPECT_TRUE(size >= 5 && size <= 5 + 3 * 3) << size;
  }
  stop = true;
  training.join();
}

}  // namespace results
