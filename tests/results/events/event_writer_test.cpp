#include "results/events/event_writer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <system_error>

#include "tests/results/fixture.h"

namespace results {
namespace fs = std::filesystem;

namespace {

class Writing : public testing::Test {
 protected:
  EventWriter open() { return EventWriter(scratch.path(), run_line({}), counting_clock()); }
  std::string text() const { return read_text(scratch.path() / kEventFile); }

  Scratch scratch;
};

}  // namespace

TEST_F(Writing, BeginsWithTheRunAndContinuesAtTheEnd) {
  {
    EventWriter writer = open();
    writer.append(AttemptLine{});
    writer.append(MetricsLine{100, {{"loss", 1.5}}});
  }
  const std::string before = text();
  EventWriter writer = open();
  EXPECT_EQ(writer.position().lines, 3);
  writer.append(AttemptLine{100, 3, {}});
  EXPECT_EQ(writer.position().attempt, 2);
  EXPECT_TRUE(text().starts_with(before));
}

// Attempt 2 resumes after line 4, attempt 3 starts from scratch.
TEST_F(Writing, KnowsWhichLinesCount) {
  {
    EventWriter writer = open();
    writer.append(AttemptLine{});
    for (int step = 1; step <= 3; ++step) writer.append(MetricsLine{step, {{"loss", 1.5}}});
    EXPECT_TRUE(writer.counts(5));
    writer.append(AttemptLine{2, 4, {}});
    EXPECT_TRUE(writer.counts(4) && writer.counts(6));
    EXPECT_FALSE(writer.counts(5));
  }
  EventWriter again = open();
  EXPECT_TRUE(again.counts(4) && !again.counts(5));
  again.append(AttemptLine{0, 0, {}});
  again.append(MetricsLine{1, {{"loss", 1.5}}});
  EXPECT_FALSE(again.counts(4));
  EXPECT_TRUE(again.counts(8));
}

TEST_F(Writing, IsForOneWriterAtATime) {
  const EventWriter writer = open();
  EXPECT_THROW(open(), std::runtime_error);
}

TEST_F(Writing, CutsATornLineAtEveryByte) {
  { open().append(AttemptLine{}); }
  const std::string whole = text();
  const std::size_t second = whole.find('\n') + 1;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_text(scratch.path() / kEventFile, whole.substr(0, size));
    EventWriter writer = open();
    EXPECT_EQ(writer.cut(), static_cast<std::int64_t>(size < second ? size : size - second));
    writer.append(AttemptLine{});
    EXPECT_EQ(EventReader(scratch.path() / kEventFile).torn(), 0);
  }
}

TEST_F(Writing, RefusesAnotherRunAndReleasesTheFile) {
  { open(); }
  EXPECT_THROW(EventWriter(scratch.path(), run_line({.number = 2})), std::invalid_argument);
  EXPECT_NO_THROW(open());
}

TEST_F(Writing, ChecksTheOrderOfLines) {
  EventWriter writer = open();
  EXPECT_THROW(writer.append(EndLine{}), std::logic_error);
  EXPECT_THROW(writer.append(run_line({})), std::logic_error);
  writer.append(AttemptLine{});
  writer.append(EndLine{});
  EXPECT_THROW(writer.append(MetricsLine{1, {{"a", 1}}}), std::logic_error);
}

TEST_F(Writing, AnotherProcessMayEndAnAttempt) {
  EXPECT_THROW(EventWriter(scratch.path(), counting_clock()), std::system_error);
  { open().append(AttemptLine{}); }
  EventWriter(scratch.path(), counting_clock()).append(EndLine{RunState::kFailed, 0, "killed"});
  EXPECT_NE(text().find("\"killed\""), std::string::npos);
}

// A limited file size acts like a full disk: complete lines stay, and more can be written once
// there is room.
TEST_F(Writing, NoticesThatItsFileIsGoneBeforeACheckpoint) {
  EventWriter writer(write_run(scratch.path(), {.status = ""}), counting_clock());
  writer.sync();
  const fs::path runs = scratch.path() / kRunsFolder, moved = scratch.path() / "moved";
  fs::rename(runs, moved);
  EXPECT_THROW(writer.sync(), std::system_error);
  write_run(scratch.path(), {.status = ""});
  EXPECT_THROW(writer.sync(), std::system_error);
  fs::remove_all(runs);
  fs::rename(moved, runs);
  writer.sync();
}

TEST_F(Writing, AFullDiskLeavesCompleteLines) {
  EventWriter writer = open();
  writer.append(AttemptLine{});
  const std::string before = text();
  signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit small = old;
  small.rlim_cur = before.size() + 10;
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(writer.append(MetricsLine{1, {{"a", 1}}}), std::system_error);
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_EQ(text(), before);
  writer.append(MetricsLine{1, {{"a", 1}}});
  writer.sync();
  EXPECT_EQ(writer.position().offset, static_cast<std::int64_t>(text().size()));
}

}  // namespace results
