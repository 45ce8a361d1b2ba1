#include "runner/sweeps/plan/run_feed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/results/fixture.h"

namespace runner {
namespace {

using results::EventWriter;

class RunFeedTest : public ::testing::Test {
 protected:
  void write(const results::Line& line) { writer().append(line); }
  EventWriter& writer() {
    if (!writer_)
      writer_.emplace(scratch_.path(), results::RunLine{results::run_id(1), "", {}},
                      results::counting_clock());
    return *writer_;
  }
  std::filesystem::path file() const { return scratch_.path() / "events.jsonl"; }

  results::Scratch scratch_;
  std::optional<EventWriter> writer_;
};

}  // namespace

TEST_F(RunFeedTest, ReadsOnlyNewLines) {
  RunFeed feed(scratch_.path());
  EXPECT_FALSE(feed.refresh()) << "there is no file yet";
  write(results::AttemptLine{});
  write(results::MetricsLine{10, {{"train.loss", 2.5}}});
  EXPECT_TRUE(feed.refresh());
  EXPECT_EQ(feed.progress().step, 10);
  EXPECT_EQ(feed.progress().loss, 2.5);
  EXPECT_EQ(feed.progress().steps_per_second, 10) << "the clock of the test counts seconds";
  EXPECT_FALSE(feed.refresh());
  write(results::MetricsLine{20, {{"train.loss", 1.5}, {"valid.ppl", 7}}});
  EXPECT_TRUE(feed.refresh());
  EXPECT_EQ(feed.progress().step, 20);
  EXPECT_EQ(feed.progress().metrics.at("train.loss").highest.value, 2.5);
  EXPECT_EQ(feed.progress().metrics.at("valid.ppl").last, 7);
}

TEST_F(RunFeedTest, WaitsForTheRestOfATornLine) {
  write(results::AttemptLine{});
  write(results::MetricsLine{10, {{"train.loss", 2.5}}});
  const std::string whole = results::read_text(file());
  for (const std::size_t cut : {whole.size() - 1, whole.size() - 9, whole.size() - 40}) {
    results::write_text(file(), whole.substr(0, cut));
    RunFeed feed(scratch_.path());
    EXPECT_TRUE(feed.refresh());
    EXPECT_EQ(feed.progress().step, 0) << cut;
    EXPECT_FALSE(feed.refresh());
    results::write_text(file(), whole);
    EXPECT_TRUE(feed.refresh());
    EXPECT_EQ(feed.progress().step, 10) << cut;
    EXPECT_EQ(feed.trouble(), "");
  }
}

TEST_F(RunFeedTest, ASecondAttemptResumesFromItsCheckpoint) {
  write(results::AttemptLine{});
  write(results::ArtefactLine{"checkpoint", "checkpoints/50", 50, 1, ""});
  write(results::MetricsLine{90, {{"train.loss", 2.5}}});
  write(results::EndLine{results::RunState::kInterrupted, 90, "signal 15"});
  RunFeed feed(scratch_.path());
  feed.refresh();
  EXPECT_EQ(feed.progress().last, results::RunState::kInterrupted);
  EXPECT_EQ(feed.progress().message, "signal 15");
  EXPECT_EQ(feed.progress().step, 90);
  EXPECT_EQ(feed.progress().saved, 50);
  write(results::AttemptLine{50, 1, {}});
  write(results::MessageLine{"warning", "a checkpoint was damaged"});
  feed.refresh();
  EXPECT_EQ(feed.progress().step, 50);
  EXPECT_EQ(feed.progress().attempts, 2);
  EXPECT_EQ(feed.progress().last, results::RunState::kRunning);
  EXPECT_TRUE(std::isnan(feed.progress().steps_per_second)) << "nothing was timed yet";
  EXPECT_EQ(feed.progress().said, "a checkpoint was damaged");
}

TEST_F(RunFeedTest, StopsAtABadLine) {
  write(results::AttemptLine{});
  RunFeed feed(scratch_.path());
  feed.refresh();
  std::ofstream(file(), std::ios::app) << "nonsense\nmore\n";
  EXPECT_TRUE(feed.refresh());
  EXPECT_TRUE(feed.trouble().starts_with("events.jsonl:3: expected")) << feed.trouble();
  EXPECT_FALSE(feed.refresh());
}

}  // namespace runner
