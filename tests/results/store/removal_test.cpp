#include "results/store/removal.h"

#include <gtest/gtest.h>

#include "results/events/run_notes.h"
#include "results/store/fold.h"
#include "results/store/gc.h"
#include "results/store/merge.h"
#include "results/store/store.h"
#include "tests/results/fixture.h"
#include "tests/results/kill_at_write.h"
#include "tests/results/store/dump.h"

namespace results {
namespace {

namespace fs = std::filesystem;

class Removal : public ::testing::Test {
 protected:
  const Scratch scratch;
  const fs::path workspace = scratch.path() / "workspace", archive = workspace / "archive";

  void SetUp() override {
    for (const int number : {1, 2}) {
      const fs::path folder = write_run(workspace, {.number = number, .sweep = "s"});
      fs::create_directories(folder / "checkpoints" / "300");
      write_text(folder / "checkpoints" / "300" / "state.json", "{}");
      keep_diff(folder, "123456789");
      add_tag(folder, "good");
    }
  }

  static std::string folded(const fs::path& place) {
    fold(place);
    return dump(place);
  }
};

}  // namespace

TEST_F(Removal, AForgottenRunIsGone) {
  fold(workspace);
  forget_run(workspace, run_id(1));
  EXPECT_EQ(fold(workspace).removed, 1);
  EXPECT_EQ(run_ids(workspace), std::vector<std::string>{run_id(2)});
}

TEST_F(Removal, AnArchivedRunComesBackWithMerge) {
  const std::string before = folded(workspace);
  archive_run(workspace, archive, run_id(1));
  EXPECT_EQ(run_ids(workspace), std::vector<std::string>{run_id(2)});
  merge(workspace, {archive});
  EXPECT_EQ(folded(workspace), before);
  EXPECT_TRUE(fs::exists(run_folder(workspace, run_id(1)) / "checkpoints" / "300" / "state.json"));
  EXPECT_TRUE(fs::exists(run_folder(workspace, run_id(1)) / "source-cbf43926.diff"));
}

TEST_F(Removal, ARunThatIsBeingWrittenStays) {
  write_run(workspace, {.number = 3, .status = "running"});
  EXPECT_THROW(forget_run(workspace, run_id(3)), std::runtime_error);
  EXPECT_THROW(archive_run(workspace, archive, run_id(3)), std::runtime_error);
  EXPECT_TRUE(fs::exists(run_folder(workspace, run_id(3)) / kEventFile));
}

// The archive has another history of the run, and neither may be lost.
TEST_F(Removal, ARunThatPartedFromTheArchivedOneStays) {
  write_run(archive, {.number = 1, .valid = {30, 20, 10, 5}});
  EXPECT_THROW(archive_run(workspace, archive, run_id(1)), std::runtime_error);
  EXPECT_TRUE(fs::exists(run_folder(workspace, run_id(1)) / kEventFile));
}

// At every moment the run is complete in the workspace or in the archive.
TEST_F(Removal, KilledAtAnyWriteTheRunIsWholeSomewhere) {
  const auto whole = [](const fs::path& place) {
    const fs::path folder = run_folder(place, run_id(1));
    return fs::exists(folder / kEventFile) &&
           fs::exists(folder / "checkpoints" / "300" / "state.json") &&
           read_notes(folder).tags == std::vector<std::string>{"good"};
  };
  int moments = 0;
  watch_changes(
      [&] {
        ++moments;
        EXPECT_TRUE(whole(workspace) || whole(archive)) << "change " << moments;
      },
      [&] { archive_run(workspace, archive, run_id(1)); });
  EXPECT_GT(moments, 5);
}

TEST_F(Removal, WhatAKilledOneLeftIsGarbage) {
  fold(workspace);
  fs::rename(run_folder(workspace, run_id(1)), workspace / "runs" / (".gone-" + run_id(1)));
  const auto garbage = find_garbage(*open_for_reading(workspace), workspace).found;
  ASSERT_EQ(garbage.size(), 1U);
  EXPECT_EQ(garbage[0].path, "runs/.gone-" + run_id(1));
  remove_garbage(workspace, garbage);
  EXPECT_FALSE(fs::exists(workspace / garbage[0].path));
}

}  // namespace results
