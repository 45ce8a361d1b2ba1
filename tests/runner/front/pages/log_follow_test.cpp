#include "runner/front/pages/log_follow.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/results/fixture.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

std::string read_all(EventTail& tail) {
  std::string text;
  tail.read([&](const results::Event& event) { text += log_line(event) + "\n"; });
  return text;
}

}  // namespace

TEST(LogFollow, ShowsEachLineOnceOverAttemptsThatGoBack) {
  const results::Scratch scratch;
  const fs::path folder = results::write_run(scratch.path(), {.number = 1, .status = ""});
  EventTail tail(folder);
  EXPECT_NE(read_all(tail).find("metrics      step 100  train.loss 3.4012  valid.ppl 30"),
            std::string::npos);
  EXPECT_FALSE(tail.ended());
  EXPECT_EQ(read_all(tail), "");
  results::EventWriter writer(folder, results::counting_clock());
  writer.append(results::AttemptLine{100, 3, {}});
  writer.append(results::EndLine{results::RunState::kDiverged, 100, "no number"});
  EXPECT_EQ(read_all(tail),
            "1970-01-01T00:16:40Z  2  begins       from step 100\n"
            "1970-01-01T00:16:41Z  2  diverged     at step 100: no number\n");
  EXPECT_TRUE(tail.ended());
}

TEST(LogFollow, GoesOnInTheFileOfAProcessThatTookTheRunOver) {
  const results::Scratch scratch;
  const fs::path folder = results::write_run(scratch.path(), {.number = 1, .status = ""});
  EventTail tail(folder);
  read_all(tail);
  results::EventReader reader(folder / results::kEventFile);
  const auto run = std::get<results::RunLine>(reader.next()->line);
  results::EventWriter writer(folder, run, results::counting_clock(), 3);
  EXPECT_EQ(read_all(tail), "");
  writer.append(results::AttemptLine{100, 3, {}});
  EXPECT_EQ(read_all(tail), "1970-01-01T00:16:40Z  2  begins       from step 100\n");
}

TEST(LogFollow, WaitsForTheEndOfATornLine) {
  const results::Scratch scratch;
  const fs::path file = results::write_run(scratch.path(), {.number = 1}) / results::kEventFile;
  const std::string whole = results::read_text(file);
  results::write_text(file, whole.substr(0, whole.size() - 5));
  EventTail tail(file.parent_path());
  read_all(tail);
  EXPECT_FALSE(tail.ended());
  results::write_text(file, whole);
  EXPECT_NE(read_all(tail).find("done"), std::string::npos);
  EXPECT_TRUE(tail.ended());
}

TEST(LogFollow, EndsWithARunThatIsNotBeingWritten) {
  const results::Scratch scratch;
  const fs::path folder = results::write_run(scratch.path(), {.number = 1, .status = ""});
  Engines engines(scratch.path());
  EXPECT_FALSE(may_go_on(scratch.path(), results::run_id(1), false, engines));
  const results::EventWriter writer(folder, results::counting_clock());
  EXPECT_TRUE(may_go_on(scratch.path(), results::run_id(1), false, engines));
}

}  // namespace runner
