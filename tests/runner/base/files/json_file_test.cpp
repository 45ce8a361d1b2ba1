#include "runner/base/files/json_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/runner/run_program.h"

namespace runner {

TEST(JsonFile, ReadsBackWhatWasWritten) {
  const ScratchFolder scratch;
  const auto file = scratch.path() / "a.json";
  write_json_file(file, {{"b", 1}, {"a", "\xff"}});
  EXPECT_EQ(read_file(file), "{\n  \"b\": 1,\n  \"a\": \"\xef\xbf\xbd\"\n}\n");
  EXPECT_EQ(read_json_file(file).at("b"), 1);
}

TEST(JsonFile, IsDiscardedIfMissingOrInvalid) {
  const ScratchFolder scratch;
  EXPECT_TRUE(read_json_file(scratch.path() / "none").is_discarded());
  const auto torn = scratch.path() / "torn";
  std::ofstream(torn) << "{\"a\": ";
  EXPECT_TRUE(read_json_file(torn).is_discarded());
}

}  // namespace runner
