#include "results/events/run_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "tests/message_of.h"
#include "tests/results/fixture.h"

namespace results {

namespace fs = std::filesystem;

TEST(RunFolder, ListsRunsAndNothingElse) {
  const Scratch scratch;
  for (const std::string& name :
       {run_id(2), run_id(1), std::string("notes"), std::string(".merge")})
    fs::create_directories(scratch.path() / "runs" / name);
  EXPECT_EQ(run_ids(scratch.path()), (std::vector<std::string>{run_id(1), run_id(2)}));
  EXPECT_TRUE(run_ids(scratch.path() / "nothing").empty());
}

TEST(RunFolder, KeepsTheSweepsOfARun) {
  const Scratch scratch;
  write_mark(scratch.path(), {"b", "Second", ""});
  write_mark(scratch.path(), {"a", "Old", ""});
  write_mark(scratch.path(), {"a", "First", "lcsm/table4-o-types", "laptop", "seed=2"});
  EXPECT_EQ(read_marks(scratch.path()),
            (std::vector<SweepMark>{{"a", "First", "lcsm/table4-o-types", "laptop", "seed=2"},
                                    {"b", "Second", ""}}));
}

TEST(RunFolder, ASweepsNameStaysInTheFolder) {
  const Scratch scratch;
  for (const char* name : {"", "../x", "a/b", ".hidden", "a b", "x\n", "<script>", "\x1b[2J"})
    EXPECT_THROW(write_mark(scratch.path(), {name, "", ""}), std::invalid_argument) << name;
  EXPECT_TRUE(fs::is_empty(scratch.path()));
}

TEST(RunFolder, NamesAnInvalidMark) {
  const Scratch scratch;
  fs::create_directories(scratch.path() / "sweeps");
  for (const char* text : {"", "{}", "[1]", "{\"schema\":\"lcsm.mark/1\",\"sweep\":\"b\"}"}) {
    write_text(scratch.path() / "sweeps" / "a.json", text);
    EXPECT_NE(message_of<std::invalid_argument>([&] {
                read_marks(scratch.path());
              }).find("something else; remove it: the next `lcsm run "),
              std::string::npos)
        << text;
  }
}

TEST(RunFolder, KnowsTheSizeOfItsEventFile) {
  const Scratch scratch;
  EXPECT_EQ(event_bytes(scratch.path()), 0);
  std::ofstream(scratch.path() / kEventFile) << "one more line\n";
  EXPECT_EQ(event_bytes(scratch.path()), 14);
}

TEST(RunFolder, KeepsEachDiffOnceUnderItsSum) {
  const Scratch scratch;
  EXPECT_EQ(keep_diff(scratch.path(), "123456789"), "source-cbf43926.diff");
  EXPECT_EQ(keep_diff(scratch.path(), "123456789"), "source-cbf43926.diff");
  const std::string other = keep_diff(scratch.path(), "diff --git a/x b/x\n");
  EXPECT_EQ(read_text(scratch.path() / other), "diff --git a/x b/x\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path()), {}), 2);
  EXPECT_EQ(keep_diff(scratch.path() / "absent", "x"), "");  // no reason to fail
}

TEST(RunFolder, ADiffsNameStaysInTheFolder) {
  EXPECT_TRUE(is_diff_name("source-cbf43926.diff"));
  for (const char* name : {"", "source-.diff", "source-cbf4392.diff", "source-cbf439261.diff",
                           "source-../43926.diff", "source-cbf43926.diff/..", "config.toml"})
    EXPECT_FALSE(is_diff_name(name)) << name;
}

}  // namespace results
