#include "results/events/event_file.h"

#include <gtest/gtest.h>

#include "results/events/run_folder.h"
#include "results/store/fold.h"
#include "results/store/gc.h"
#include "results/store/merge.h"
#include "tests/results/fixture.h"
#include "tests/results/store/dump.h"

namespace results {
namespace {

namespace fs = std::filesystem;

TEST(EventFile, TheLastSegmentCounts) {
  const Scratch scratch;
  EXPECT_EQ(event_file(scratch.path()), scratch.path() / "events.jsonl");
  EXPECT_EQ(event_bytes(scratch.path()), 0);
  fs::create_directory(scratch.path() / kSegmentsFolder);
  for (const char* name : {"9.jsonl", "10.jsonl", "011.jsonl", "12.jsonl.tmp", ".lcsm-1-0.tmp"})
    write_text(scratch.path() / kSegmentsFolder / name, name);
  EXPECT_EQ(newest_segment(scratch.path()), 10);
  EXPECT_EQ(event_file(scratch.path()), scratch.path() / "segments/10.jsonl");
  EXPECT_EQ(event_bytes(scratch.path()), 8);
}

TEST(EventFile, ASegmentContinuesTheLinesThatCount) {
  const Scratch scratch;
  const RunLine run{run_id(1), "", {}};
  EventWriter first(scratch.path(), run, counting_clock());
  first.append(AttemptLine{});
  first.append(MetricsLine{1, {{"train.loss", 1}}});
  EventWriter second(scratch.path(), run, counting_clock(), 2);
  first.append(MetricsLine{2, {{"train.loss", 9}}});  // does not know yet
  second.append(AttemptLine{0, 2, {{"host", std::string("b")}}});
  second.append(MetricsLine{2, {{"train.loss", 2}}});
  EXPECT_FALSE(second.counts(3, 0)) << "discarded by from_seq";
  EXPECT_TRUE(second.counts(2, 0));
  EXPECT_TRUE(second.counts(5, 2));
  EXPECT_FALSE(second.counts(5, 0)) << "a checkpoint of the first, of lines that are not here";
  EXPECT_FALSE(second.counts(6, 2)) << "lines that were lost";
  EXPECT_THROW(EventWriter(scratch.path(), run, counting_clock()), BeingWritten);
  EXPECT_THROW(EventWriter(scratch.path(), run, counting_clock(), 1), BeingWritten);
  EventReader reader(event_file(scratch.path()));
  while (reader.next()) continue;
  EXPECT_EQ(reader.position().lines, 5);
  EXPECT_EQ(reader.torn(), 0);
}

// A workspace whose run was taken over by a second attempt between two folds.
class TakenOver : public testing::Test {
 protected:
  TakenOver() {
    EventWriter first(folder(), run_, counting_clock());
    first.append(AttemptLine{});
    first.append(MetricsLine{100, {{"valid.ppl", 5}}});
    fold(workspace());
    EventWriter second(folder(), run_, counting_clock(), 2);
    first.append(MetricsLine{200, {{"valid.ppl", 9}}});
    fold(workspace());
    second.append(AttemptLine{100, 3, {}});
    second.append(MetricsLine{200, {{"valid.ppl", 4}}});
    second.append(EndLine{RunState::kDone, 200, ""});
    first.append(EndLine{RunState::kFailed, 200, "stale"});
  }
  fs::path workspace() const { return scratch_.path() / "a"; }
  fs::path folder() {
    fs::create_directories(run_folder(workspace(), run_id(1)));
    return run_folder(workspace(), run_id(1));
  }

  Scratch scratch_;
  RunLine run_{run_id(1), "", {}};
};

TEST_F(TakenOver, IsFoldedFromItsLastSegment) {
  fold(workspace());
  const std::string folded = dump(workspace());
  rebuild(workspace());
  EXPECT_EQ(dump(workspace()), folded);
  EXPECT_EQ(answer(workspace(), "SELECT step, value FROM history ORDER BY step"),
            "100|5.0\n200|4.0\n");
  EXPECT_EQ(answer(workspace(), "SELECT status FROM runs"), "done\n");
}

TEST_F(TakenOver, IsMergedAsOneFile) {
  const fs::path all = scratch_.path() / "all";
  fs::create_directories(all);
  fs::create_directory(folder() / "claims");
  write_text(folder() / "claims" / "2", "of a process elsewhere");
  merge(all, {workspace()});
  fold(workspace());
  EXPECT_EQ(dump(all), dump(workspace()));
  EXPECT_EQ(newest_segment(run_folder(all, run_id(1))), 2);
  EXPECT_FALSE(fs::exists(run_folder(all, run_id(1)) / "claims"));
  EXPECT_FALSE(fs::exists(run_folder(all, run_id(1)) / "events.jsonl"));
}

TEST_F(TakenOver, LeavesFilesThatCanBeRemoved) {
  fold(workspace());
  Database database(workspace() / kDatabaseFile, Database::Mode::kRead);
  const GarbageReport report = find_garbage(database, workspace());
  ASSERT_EQ(report.found.size(), 1u);
  EXPECT_EQ(report.found[0].path, "events.jsonl");
  EXPECT_EQ(report.found[0].why, "continued in segments/2.jsonl");
}

}  // namespace
}  // namespace results
