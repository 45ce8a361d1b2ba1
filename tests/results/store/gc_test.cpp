// Checks that gc never removes anything that a resumed run or a table needs.
#include "results/store/gc.h"

#include <gtest/gtest.h>

#include <set>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "results/tables/table_formats.h"
#include "tests/results/fixture.h"
#include "tests/results/kill_at_write.h"

namespace results {
namespace {

namespace fs = std::filesystem;

class Gc : public testing::Test {
 protected:
  // A run with checkpoints at these steps, valid.ppl best at step 200.
  fs::path have(int number, const std::string& status, const std::vector<int>& steps) {
    const fs::path folder = write_run(
        scratch.path(), {.number = number, .valid = {30, 20, 24, 25, 26}, .status = status});
    for (const int step : steps) add(folder / "checkpoints" / std::to_string(step));
    return folder;
  }
  static void add(const fs::path& checkpoint) {
    fs::create_directories(checkpoint);
    write_text(checkpoint / "model.safetensors", std::string(1000, 'x'));
    write_text(checkpoint / "state.json", "{}");
  }
  GarbageReport found() {
    fold(scratch.path());
    return find_garbage(*open_for_reading(scratch.path()), scratch.path());
  }
  std::string paths() {
    std::string out;
    for (const Garbage& one : found().found) out += one.path + " ";
    return out;
  }
  void collect() { remove_garbage(scratch.path(), found().found); }
  Scratch scratch;
};

std::string names_of(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  std::string out;
  for (const std::string& name : names) out += name + " ";
  return out;
}

const std::vector<int> kAll = {100, 200, 300, 400, 500};

}  // namespace

TEST_F(Gc, ARunThatIsDoneKeepsItsLastAndItsBest) {
  have(1, "done", kAll);
  EXPECT_EQ(paths(), "checkpoints/400 checkpoints/300 checkpoints/100 ");
  EXPECT_EQ(found().found[0].bytes, 1002u);
}

TEST_F(Gc, ARunThatMayResumeKeepsItsLastTwoAndItsBest) {
  for (const char* status : {"interrupted", "failed", "out-of-memory", "diverged", ""}) {
    have(1, status, kAll);
    EXPECT_EQ(paths(), "checkpoints/300 checkpoints/100 ") << status;
    fs::remove_all(scratch.path() / "runs");
  }
}

TEST_F(Gc, TheRecordedBestIsKept) {
  const fs::path folder = have(1, "", kAll);
  {
    EventWriter writer(folder, counting_clock());
    writer.append(ArtefactLine{"best", "checkpoints/100", 100, 1002, ""});
  }
  EXPECT_EQ(paths(), "checkpoints/300 ");
}

TEST_F(Gc, OnlyWhatIsNamedLikeACheckpointIsOne) {
  const fs::path folder = have(1, "done", {100, 500});
  add(folder / "checkpoints" / "best");
  add(folder / "checkpoints" / "100x");
  add(folder / "mine");
  fs::create_directory_symlink(folder / "mine", folder / "checkpoints" / "300");
  EXPECT_EQ(paths(), "checkpoints/100 ");
  collect();
  EXPECT_EQ(names_of(folder / "checkpoints"), "100x 300 500 best ");
  EXPECT_EQ(names_of(folder), "checkpoints events.jsonl mine ");
}

TEST_F(Gc, LinksAreNotFollowed) {
  const fs::path folder = have(1, "done", {});
  add(scratch.path() / "elsewhere" / "100");
  add(scratch.path() / "elsewhere" / "500");
  fs::create_directory_symlink(scratch.path() / "elsewhere", folder / "checkpoints");
  EXPECT_EQ(paths(), "");
}

TEST_F(Gc, LeftoversOfKilledProcessesAreRemoved) {
  const fs::path folder = have(1, "", {100});
  write_text(folder / ".config.toml.77.tmp", "x");
  add(folder / "checkpoints" / ".200.tmp");
  EXPECT_EQ(paths(), ".config.toml.77.tmp checkpoints/.200.tmp ");
  collect();
  EXPECT_EQ(names_of(folder), "checkpoints events.jsonl ");
  EXPECT_EQ(names_of(folder / "checkpoints"), "100 ");
}

TEST_F(Gc, WhatIsNotOursIsLeftAlone) {
  const fs::path folder = have(1, "", {100});
  for (const char* name : {".git", "checkpoints/.notes", ".nfs0001"})
    fs::create_directory(folder / name);
  EXPECT_EQ(paths(), "");
  fs::rename(folder, scratch.path() / "elsewhere");
  fs::create_directory_symlink(scratch.path() / "elsewhere", folder);
  add(folder / "checkpoints" / ".200.tmp");
  EXPECT_EQ(paths(), "");
  EXPECT_EQ(found().passed_over.at(0), "runs/" + run_id(1) + " is a link");
}

TEST_F(Gc, AnUnfinishedMarkIsRemovedOnceItIsOld) {
  const fs::path folder = have(1, "", {100});
  const fs::path mark = folder / kMarksFolder / ".s.json.7.tmp";
  fs::create_directories(folder / kMarksFolder);
  write_text(mark, "x");
  EXPECT_EQ(paths(), "");
  fs::last_write_time(mark, fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(paths(), "sweeps/.s.json.7.tmp ");
}

TEST_F(Gc, OldLeftoversOfTheWorkspaceAreRemoved) {
  have(1, "", {100});
  for (const char* folder : {"control", "elsewhere", "submissions/one"})
    fs::create_directories(scratch.path() / folder);
  fs::create_directory_symlink("elsewhere", scratch.path() / "linked");
  const std::vector<std::string> names = {".lcsm-7-0.tmp", "control/.lcsm-7-1.tmp",
                                          "elsewhere/.lcsm-7-2.tmp",
                                          "submissions/one/.lcsm-7-3.tmp"};
  for (const std::string& name : names) write_text(scratch.path() / name, "x");
  EXPECT_EQ(paths(), "") << "they may be being written";
  for (const std::string& name : names)
    fs::last_write_time(scratch.path() / name,
                        fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(paths(), names[0] + " " + names[1] + " " + names[2] + " " + names[3] + " ");
  collect();
  EXPECT_EQ(paths(), "");
  EXPECT_TRUE(fs::exists(scratch.path() / "runs" / run_id(1) / kEventFile));
}

TEST_F(Gc, ARunThatIsBeingWrittenIsLeftAlone) {
  const fs::path folder = have(1, "", kAll);
  const std::vector<Garbage> before = found().found;
  const EventWriter writer(folder, counting_clock());
  EXPECT_EQ(paths(), "");
  EXPECT_EQ(found().passed_over.at(0), "runs/" + run_id(1) + " is being written");
  EXPECT_EQ(remove_garbage(scratch.path(), before),
            0u);  // found before another process began to write
  EXPECT_EQ(names_of(folder / "checkpoints"), "100 200 300 400 500 ");
}

TEST_F(Gc, AnInvalidRunIsLeftAlone) {
  const fs::path folder = have(1, "done", kAll);
  write_text(folder / kEventFile, "no events\nat all\n");
  EXPECT_EQ(paths(), "");
  EXPECT_EQ(found().passed_over.at(0), "runs/" + run_id(1) + " has no valid event file");
}

// Like a run whose configuration was refused.
TEST_F(Gc, ARunThatNeverBeganIsLeftAlone) {
  fs::create_directories(scratch.path() / "runs" / run_id(1));
  EXPECT_EQ(paths(), "");
  EXPECT_EQ(found().passed_over.at(0), "runs/" + run_id(1) + " never began: it has no event file");
}

TEST_F(Gc, KilledAnywhereTheNextCallFinishes) {
  for (int n = 1;; ++n) {
    const fs::path folder = have(1, "done", kAll);
    const std::vector<Garbage> garbage = found().found;
    const bool killed = killed_at(n, [&] { remove_garbage(scratch.path(), garbage); });
    for (const char* kept : {"200", "500"})
      EXPECT_EQ(names_of(folder / "checkpoints" / kept), "model.safetensors state.json ");
    collect();
    EXPECT_EQ(names_of(folder / "checkpoints"), "200 500 ") << "killed at change " << n;
    fs::remove_all(scratch.path() / "runs");
    if (!killed) break;
    ASSERT_LT(n, 100);
  }
}

TEST_F(Gc, ATableIsTheSameBeforeAndAfter) {
  have(1, "done", kAll);
  fold(scratch.path());
  const auto table = [&] {
    return table_csv(make_table(*open_for_reading(scratch.path()), kTestRoles, {}));
  };
  const std::string before = table();
  collect();
  rebuild(scratch.path());
  EXPECT_EQ(table(), before);
}

}  // namespace results
