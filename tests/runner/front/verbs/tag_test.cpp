#include <gtest/gtest.h>

#include "results/events/run_notes.h"
#include "tests/runner/front/lcsm_test.h"

namespace runner {
namespace {

class TagVerbs : public LcsmTest {
 protected:
  void SetUp() override {
    for (const int seed : {1, 2, 3})
      results::write_run(scratch.path(), {.number = seed, .sweep = "s", .seed = seed});
  }
};

}  // namespace

TEST_F(TagVerbs, TagRunsByIdAndByValues) {
  EXPECT_EQ(lcsm({"tag", "good", "00000001", "seed=2"}).out, "2 runs tagged\n");
  EXPECT_EQ(lcsm({"tag", "good", "model.code=1-1-1-0"}).out, "1 run tagged, 2 already tagged\n");
  EXPECT_EQ(lcsm({"tag"}).out, "tag   runs\ngood     3\n");
  EXPECT_EQ(lcsm({"tag", "good", "seed=1", "--remove"}).out, "1 run untagged\n");
  EXPECT_EQ(lcsm({"query", "SELECT seed FROM overview WHERE tags = 'good'"}).out,
            "seed\n   2\n   3\n");
}

TEST_F(TagVerbs, ATagChoosesRunsOfTables) {
  lcsm({"tag", "good", "seed=1", "seed=2"});
  const Ran list = lcsm({"table", "s", "--rows", "seed", "--where", "tag=good"});
  EXPECT_TRUE(has(list.out, "\n1 ") && has(list.out, "\n2 ")) << list.out << list.err;
  EXPECT_FALSE(has(list.out, "\n3 ")) << list.out;
  EXPECT_EQ(lcsm({"table", "s", "--where", "tag=bad"}).status, 2);
}

TEST_F(TagVerbs, NotesAreKeptAndShown) {
  EXPECT_EQ(lcsm({"note", "seed=1", "the first one"}).status, 0);
  EXPECT_TRUE(has(lcsm({"note", "00000001"}).out, "  the first one\n"));
  EXPECT_TRUE(has(lcsm({"show", "00000001"}).out, "note      the first one\n"));
  EXPECT_TRUE(has(lcsm({"note", "seed=1", "--remove"}).out, "the first one"));
  EXPECT_EQ(lcsm({"note", "seed=1"}).out, "");
  EXPECT_EQ(lcsm({"note", "seed=1", "--remove"}).status, 1);
}

TEST_F(TagVerbs, ANoteThatCannotBeWrittenEndsLikeAnExport) {
  const auto folder = results::write_run(scratch.path(), {.number = 4, .seed = 4});
  results::write_text(folder / "notes", "no folder");
  const Ran ran = lcsm({"note", "seed=4", "the first one"});
  EXPECT_EQ(ran.status, 4) << ran.err;
  EXPECT_TRUE(has(ran.err, "notes' cannot be created: ")) << ran.err;
}

TEST_F(TagVerbs, SeveralRunsAreNotOne) {
  const Ran ran = lcsm({"show", "model.code=1-1-1-0"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(
      has(ran.err, "which matches 3 runs: add a value that tells them apart: seed (1, 2, 3)"))
      << ran.err;
  EXPECT_EQ(lcsm({"show", "model.code=1-1-1-0, seed=3"}).status, 0);
}

}  // namespace runner
