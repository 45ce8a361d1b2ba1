#include "runner/files/content_hash.h"

#include <gtest/gtest.h>

#include <chrono>

#include "runner/files/sha256.h"
#include "tests/runner/tasks/data_folder.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

class ContentHash : public DataFolder {
 protected:
  void SetUp() override { fs::create_directory(path("notes")); }

  void age(const std::string& file, int seconds) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
  }
  int notes() {
    return static_cast<int>(
        std::distance(fs::directory_iterator(path("notes")), fs::directory_iterator()));
  }
};

}  // namespace

TEST_F(ContentHash, IsThatOfTheBytes) {
  EXPECT_EQ(content_hash(put("a", "abc"), path("notes")), sha256_hex("abc"));
  EXPECT_EQ(content_hash(put("b", ""), path("notes")), sha256_hex(""));
}

TEST_F(ContentHash, IsBelievedWhileTheFileStaysAsItWas) {
  const std::string file = put("a", "abc");
  age(file, 100);
  content_hash(file, path("notes"));
  ASSERT_EQ(notes(), 1);
  const auto note = *fs::directory_iterator(path("notes"));
  std::string text = read_file(note.path());
  text.replace(0, 64, std::string(64, '7'));
  std::ofstream(note.path()) << text;
  EXPECT_EQ(content_hash(file, path("notes")), std::string(64, '7')) << "not read again";
  age(file, 50);
  EXPECT_EQ(content_hash(file, path("notes")), sha256_hex("abc"));
}

TEST_F(ContentHash, OfAFileThatHasJustBeenWrittenIsNotNoted) {
  content_hash(put("a", "abc"), path("notes"));
  EXPECT_EQ(notes(), 0);
}

TEST_F(ContentHash, NeedsNoPlaceForItsNotes) {
  const std::string file = put("a", "abc");
  age(file, 100);
  EXPECT_EQ(content_hash(file, path("none")), sha256_hex("abc"));
  EXPECT_FALSE(fs::exists(path("none")));
}

TEST_F(ContentHash, SaysWhyAFileCannotBeRead) {
  EXPECT_THROW(content_hash(path("none"), path("notes")), std::runtime_error);
  EXPECT_THROW(content_hash(path("."), path("notes")), std::runtime_error);
}

}  // namespace runner
