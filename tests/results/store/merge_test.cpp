#include "results/store/merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "results/events/evaluations.h"
#include "results/events/event_file.h"
#include "results/events/run_notes.h"
#include "results/store/store.h"
#include "tests/results/fixture.h"
#include "tests/results/kill_at_write.h"
#include "tests/results/store/dump.h"

namespace results {
namespace {

namespace fs = std::filesystem;

class Merging : public testing::Test {
 protected:
  // One host began runs 1 and 2; the others each continued run 2 differently.
  Merging() {
    for (const char* name : {"a", "b", "c"}) fs::create_directories(at(name) / kRunsFolder);
    write_run(at("a"), {.number = 1, .sweep = "s"});
    const fs::path begun = write_run(at("a"), {.number = 2, .sweep = "s", .status = ""});
    for (const char* name : {"b", "c"})
      fs::copy(begun, run_folder(at(name), run_id(2)), fs::copy_options::recursive);
    go_on("b", RunState::kInterrupted);
    go_on("c", RunState::kDone);
    write_run(at("b"), {.number = 3, .sweep = "t"});
    write_mark(run_folder(at("c"), run_id(2)), {"u", "", ""});
  }

  fs::path at(const std::string& name) const { return scratch.path() / name; }
  void go_on(const std::string& name, RunState ending) {
    EventWriter writer(run_folder(at(name), run_id(2)), counting_clock());
    for (int i = 0; ending == RunState::kInterrupted && i < 5; ++i)
      writer.append(MetricsLine{400 + i, {{"valid.ppl", 1}}});
    writer.append(EndLine{ending, 300, name});
  }
  // Merges the workspaces named by the letters, one after the other.
  std::string joined(const std::string& order) {
    fs::remove_all(at("all"));
    fs::create_directories(at("all"));
    for (const char letter : order) merge(at("all"), {at(std::string(1, letter))});
    return dump(at("all")) + read_text(run_folder(at("all"), run_id(2)) / kEventFile);
  }

  Scratch scratch;
};

}  // namespace

TEST_F(Merging, IsTheSameInEveryOrderAndAnyNumberOfTimes) {
  const fs::path shorter = run_folder(at("b"), run_id(2)), kept = run_folder(at("c"), run_id(2));
  write_mark(shorter, {"u", "a title", ""});
  write_mark(shorter, {"v", "", ""});
  for (const auto& [folder, length] : {std::pair(shorter, "8"), std::pair(kept, "9")})
    write_evaluation(folder, {"task.length=" + std::string(length), 300, 5, {{"test.ppl", 7}}, {}});
  const std::string wanted = joined("abc");
  for (const char* order :
       {"acb", "bac", "bca", "cab", "cba", "aabbcc", "abcabc", "cbaabc", "bcbab"})
    EXPECT_EQ(joined(order), wanted) << order;
  EXPECT_EQ(answer(at("all"), "SELECT message FROM runs WHERE id LIKE '%2000%'"), "c\n");
  EXPECT_EQ(answer(at("all"), "SELECT sweep FROM members WHERE id LIKE '%2000%' ORDER BY 1"),
            "s\nu\nv\n");
  EXPECT_EQ(answer(at("all"), "SELECT settings FROM evaluations ORDER BY 1"),
            "task.length=8\ntask.length=9\n");
}

TEST_F(Merging, ReportsWhereTwoHistoriesDiffer) {
  const MergeReport report = merge(at("b"), {at("c")});
  ASSERT_EQ(report.parted.size(), 1u);
  EXPECT_EQ(report.parted[0],
            "run " + run_id(2) + " has two histories that differ from line 7 on: kept " +
                run_folder(at("c"), run_id(2)).string() + ", which has 7 lines and is done");
}

TEST_F(Merging, TellsRunsThatWereFinishedTwiceFromThoseOfTwoHistories) {
  for (const char* name : {"a", "b"})
    write_run(at(name), {.number = 7, .valid = {1}, .host = name});
  const MergeReport report = merge(at("a"), {at("b"), at("c")});
  ASSERT_EQ(report.twice.size(), 1u);
  EXPECT_NE(report.twice[0].find("run " + run_id(7) + " has two histories"), std::string::npos);
  EXPECT_EQ(report.parted.size(), 1u) << "run 2, which is not done";
}

TEST_F(Merging, ABadRunIsNotTakenAndIsReplacedByAGoodOne) {
  const fs::path file = run_folder(at("a"), run_id(1)) / kEventFile;
  const std::string good = read_text(file);
  write_text(file, good.substr(5));
  MergeReport report = merge(at("b"), {at("a")});
  ASSERT_EQ(report.refused.size(), 1u);
  EXPECT_NE(report.refused[0].find(run_id(1) + "/events.jsonl:1: expected"), std::string::npos);
  EXPECT_FALSE(fs::exists(run_folder(at("b"), run_id(1))));
  write_run(at("c"), {.number = 1});
  report = merge(at("a"), {at("c")});
  EXPECT_TRUE(report.fold.refused.empty());
}

TEST_F(Merging, ABadRunIsNotReplacedByOneThatHasLess) {
  const fs::path file = run_folder(at("b"), run_id(2)) / kEventFile;
  std::string bad = read_text(file);
  bad[bad.find("valid.ppl")] = 'V';
  write_text(file, bad);
  const MergeReport report = merge(at("b"), {at("a")});
  ASSERT_EQ(report.refused.size(), 1u);
  EXPECT_NE(report.refused[0].find("expected a run that is done or has 12 lines to replace"),
            std::string::npos)
      << report.refused[0];
  EXPECT_EQ(read_text(file), bad);
  EXPECT_TRUE(merge(at("b"), {at("c")}).refused.empty());
}

TEST_F(Merging, LeavesARunThatIsBeingTrained) {
  const EventWriter writer(run_folder(at("a"), run_id(2)), counting_clock());
  const MergeReport report = merge(at("a"), {at("c")});
  ASSERT_EQ(report.refused.size(), 1u);
  EXPECT_NE(report.refused[0].find("another process is training the run"), std::string::npos);
}

// The folder that is kept and the one that is replaced.
TEST_F(Merging, UnitesTagsAndNotes) {
  for (const char* name : {"a", "b", "c"}) {
    const fs::path folder =
        write_run(at(name), {.number = 7, .valid = {1}, .status = *name == 'c' ? "" : "done"});
    add_tag(folder, name);
    write_text(folder / kNotesFolder / (std::string(name) + ".txt"), name);
  }
  merge(at("c"), {at("a"), at("b")});
  EXPECT_EQ(answer(at("c"), "SELECT tags, note FROM overview WHERE tags NOTNULL"),
            "a, b, c|a\nb\nc\n");
}

TEST_F(Merging, FollowsNoLinksAndTakesCheckpointsAndDiffs) {
  const fs::path source = run_folder(at("a"), run_id(1));
  const std::string diff = keep_diff(source, "diff --git a/x b/x\n");
  fs::create_symlink("/etc", source / "link");
  fs::create_directories(source / "checkpoints" / "300");
  write_text(source / "checkpoints" / "300" / "state.json", "{}");
  merge(at("b"), {at("a")});
  EXPECT_FALSE(fs::exists(run_folder(at("b"), run_id(1)) / "link"));
  EXPECT_EQ(read_text(run_folder(at("b"), run_id(1)) / diff), "diff --git a/x b/x\n");
  EXPECT_TRUE(fs::exists(run_folder(at("b"), run_id(1)) / "checkpoints" / "300" / "state.json"));
}

// A segment's checkpoints belong to its lines. Claims are of processes that see the other folder.
TEST_F(Merging, KeepsSegmentsAndLeavesClaimsAndLeftovers) {
  const fs::path source = run_folder(at("a"), run_id(1)), taken = run_folder(at("b"), run_id(1));
  fs::create_directories(source / kSegmentsFolder);
  fs::rename(source / kEventFile, source / segment_name(3));
  write_text(source / kEventFile, "lines that do not count");
  for (const char* file : {"claims/3", "checkpoints/300.3/state.json", "checkpoints/.old-200/x"}) {
    fs::create_directories((source / file).parent_path());
    write_text(source / file, "{}");
  }
  EXPECT_EQ(merge(at("b"), {at("a")}).taken, 1);
  EXPECT_EQ(read_text(taken / segment_name(3)), read_text(source / segment_name(3)));
  EXPECT_FALSE(fs::exists(taken / kEventFile));
  EXPECT_TRUE(fs::exists(taken / "checkpoints/300.3/state.json"));
  EXPECT_FALSE(fs::exists(taken / "claims"));
  EXPECT_FALSE(fs::exists(taken / "checkpoints/.old-200"));
}

// A finished run has nobody to disturb; another may be in training.
TEST_F(Merging, AsksWhoMayBeTrainingARunThatIsNotDone) {
  write_run(at("a"), {.number = 7, .valid = {1}});
  write_run(at("c"), {.number = 7, .valid = {1, 2}});
  std::set<fs::path> asked;
  const MergeReport report = merge(at("a"), {at("c")}, {}, [&](const fs::path& folder) {
    asked.insert(folder);
    return "claimed";
  });
  EXPECT_EQ(asked, std::set<fs::path>{run_folder(at("a"), run_id(2))});
  EXPECT_EQ(report.refused,
            std::vector<std::string>{run_folder(at("a"), run_id(2)).string() + " is claimed"});
  EXPECT_EQ(report.taken, 1);
}

// Two renames replace a folder where the file system cannot exchange two folders.
TEST_F(Merging, KilledBetweenTwoRenamesItLosesNothing) {
  const fs::path runs = at("a") / kRunsFolder, place = run_folder(at("a"), run_id(2));
  add_tag(place, "kept");
  const std::string wanted = read_text(place / kEventFile);
  fs::copy(place, runs / (".merge-" + run_id(2)), fs::copy_options::recursive);
  fs::rename(place, runs / (".merge-" + run_id(2) + ".old"));
  merge(at("a"), {});
  EXPECT_EQ(read_text(place / kEventFile), wanted);
  EXPECT_EQ(read_notes(place).tags, std::vector<std::string>{"kept"});
  EXPECT_EQ(std::distance(fs::directory_iterator(runs), {}), 2);
}

TEST_F(Merging, KilledAtAnyWriteItCanBeRepeated) {
  const std::string wanted = joined("abc");
  bool killed = true;
  for (int n = 1; killed; n += kStride) {
    fs::remove_all(at("all"));
    fs::create_directories(at("all"));
    merge(at("all"), {at("a")});
    killed = killed_at(n, [&] { merge(at("all"), {at("b"), at("c")}); });
    merge(at("all"), {at("b"), at("c")});
    EXPECT_EQ(dump(at("all")) + read_text(run_folder(at("all"), run_id(2)) / kEventFile), wanted);
    EXPECT_EQ(std::distance(fs::directory_iterator(at("all") / kRunsFolder), {}), 3) << n;
  }
}

}  // namespace results
