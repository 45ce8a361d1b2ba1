// Limits of JSON files: refused content and the error messages.
#include "lcsm/files/json_text.h"

#include <gtest/gtest.h>

#include <fstream>

#include "lcsm/files/read_file.h"
#include "tests/message_of.h"

namespace lcsm {
namespace {

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']');
}

}  // namespace

TEST(JsonText, NestsOnlySoDeep) {
  EXPECT_FALSE(nests_too_deep(nested(kMostJsonDepth)));
  EXPECT_TRUE(nests_too_deep(nested(kMostJsonDepth + 1)));
  EXPECT_TRUE(nests_too_deep(std::string(100000, '{')));
  EXPECT_FALSE(nests_too_deep("\"" + std::string(1000, '[') + "\"")) << "in a string";
  EXPECT_FALSE(nests_too_deep("\"\\\"" + std::string(1000, '[') + "\"")) << "behind a quote";
  std::string row;
  for (int i = 0; i < 1000; ++i) row += "{},";
  EXPECT_FALSE(nests_too_deep("[" + row + "{}]"));
}

TEST(JsonText, IsOfRegularFiles) {
  const std::filesystem::path file = testing::TempDir() + "/json_text_test.json";
  std::ofstream(file) << nested(3);
  EXPECT_EQ(read_json_text(file), "[[[]]]");
  std::ofstream(file) << nested(100);
  EXPECT_EQ(
      message_of([&] { read_json_text(file); }),
      file.string() + ": expected a file with JSON, got brackets that nest more than 64 deep");
  std::filesystem::remove(file);
  std::filesystem::create_symlink("/dev/zero", file);
  EXPECT_NE(message_of([&] { read_json_text(file); }).find(" is a link: "), std::string::npos);
  EXPECT_EQ(message_of([] { read_json_text("/dev/zero"); }),
            "/dev/zero: expected a file with JSON, got something that is no regular file");
  EXPECT_NE(message_of([&] { read_file(file); }).find("is a device without an end"),
            std::string::npos);
  EXPECT_EQ(read_file("/dev/null"), "");
  std::filesystem::remove(file);
}

}  // namespace lcsm
