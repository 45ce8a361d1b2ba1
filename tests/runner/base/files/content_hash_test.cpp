#include "runner/base/files/content_hash.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

#include "runner/base/files/sha256.h"
#include "tests/runner/data/tasks/data_folder.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

class ContentHash : public DataFolder {
 protected:
  void SetUp() override { fs::create_directory(path("cache")); }

  void age(const std::string& file, int seconds) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
  }
  static std::time_t later() { return std::time(nullptr) + 100; }
  int entries() {
    return static_cast<int>(
        std::distance(fs::directory_iterator(path("cache")), fs::directory_iterator()));
  }
};

}  // namespace

TEST_F(ContentHash, HashesTheBytes) {
  EXPECT_EQ(content_hash(put("a", "abc"), path("cache")), sha256_hex("abc"));
  EXPECT_EQ(content_hash(put("b", ""), path("cache")), sha256_hex(""));
}

TEST_F(ContentHash, IsCachedWhileTheFileIsUnchanged) {
  const std::string file = put("a", "abc");
  content_hash(file, path("cache"), later());
  ASSERT_EQ(entries(), 1);
  const auto entry = *fs::directory_iterator(path("cache"));
  std::string text = read_file(entry.path());
  text.replace(0, 64, std::string(64, '7'));
  std::ofstream(entry.path()) << text;
  EXPECT_EQ(content_hash(file, path("cache")), std::string(64, '7')) << "from the cache";
  age(file, 50);
  EXPECT_EQ(content_hash(file, path("cache")), sha256_hex("abc"));
}

// `cp --preserve` and `rsync --times --inplace` restore the modification time.
TEST_F(ContentHash, NoticesATextReplacedInPlaceWithItsSizeAndTime) {
  const std::string file = put("a", "abc");
  const auto time = fs::last_write_time(file);
  EXPECT_EQ(content_hash(file, path("cache"), later()), sha256_hex("abc"));
  std::ofstream(file) << "abd";
  fs::last_write_time(file, time);
  EXPECT_EQ(content_hash(file, path("cache"), later()), sha256_hex("abd"));
}

TEST_F(ContentHash, IsNotCachedForAFileJustWritten) {
  content_hash(put("a", "abc"), path("cache"));
  EXPECT_EQ(entries(), 0);
}

TEST_F(ContentHash, WorksWithoutACacheFolder) {
  const std::string file = put("a", "abc");
  EXPECT_EQ(content_hash(file, path("none"), later()), sha256_hex("abc"));
  EXPECT_FALSE(fs::exists(path("none")));
  const fs::path before = fs::current_path();
  fs::current_path(path("cache"));
  EXPECT_EQ(content_hash(file, "", later()), sha256_hex("abc"));
  fs::current_path(before);
  EXPECT_EQ(entries(), 0) << "nothing is written into the working folder";
}

TEST_F(ContentHash, ThrowsIfTheFileCannotBeRead) {
  EXPECT_THROW(content_hash(path("none"), path("cache")), std::runtime_error);
  EXPECT_THROW(content_hash(path("."), path("cache")), std::runtime_error);
}

}  // namespace runner
