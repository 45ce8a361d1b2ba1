#include "results/events/event_reader.h"

#include <gtest/gtest.h>

#include "results/events/event_text.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

namespace fs = std::filesystem;

class Reading : public testing::Test {
 protected:
  Reading() : file(write_run(scratch.path(), {}) / kEventFile), text(read_text(file)) {}

  std::int64_t events(const Position& from = {}) const {
    EventReader reader(file, from);
    std::int64_t count = 0;
    while (reader.next()) ++count;
    return count;
  }
  std::string refusal(const std::string& changed) const {
    write_text(file, changed);
    try {
      events();
    } catch (const EventError& error) {
      return std::string(error.what()).substr(file.string().size());
    }
    return "accepted";
  }
  // The offset of line `number`, counted from 1.
  std::size_t line_start(int number) const {
    std::size_t at = 0;
    while (--number > 0) at = text.find('\n', at) + 1;
    return at;
  }

  Scratch scratch;
  fs::path file;
  std::string text;
};

bool starts(const std::string& text, const std::string& start) { return text.starts_with(start); }

}  // namespace

TEST_F(Reading, ReturnsEveryEventOnce) { EXPECT_EQ(events(), 7); }

TEST_F(Reading, ARunIsDoneIfItsLastLineSaysSo) {
  EXPECT_TRUE(is_done(file.parent_path()));
  write_text(file, text.substr(0, line_start(7)));
  EXPECT_FALSE(is_done(file.parent_path()));
  EXPECT_FALSE(is_done(scratch.path()));
}

TEST_F(Reading, ContinuesFromAnyPosition) {
  EventReader reader(file);
  for (std::int64_t left = 7; left > 0; --left) {
    EXPECT_EQ(events(reader.position()), left);
    reader.next();
  }
  EXPECT_EQ(reader.position().offset, static_cast<std::int64_t>(text.size()));
  EXPECT_TRUE(reader.position().ended);
}

TEST_F(Reading, LeavesOutATornLastLineAtEveryByte) {
  const std::size_t last = line_start(7);
  for (std::size_t size = last; size < text.size(); ++size) {
    write_text(file, text.substr(0, size));
    EventReader reader(file);
    int count = 0;
    while (reader.next()) ++count;
    EXPECT_EQ(count, 6);
    EXPECT_EQ(reader.torn(), static_cast<std::int64_t>(size - last));
  }
}

TEST_F(Reading, NamesTheBadLine) {
  std::string changed = text;
  changed[line_start(3) + 20] ^= 1;
  EXPECT_TRUE(starts(refusal(changed), ":3: expected the checksum ")) << refusal(changed);
  std::string cut = text;
  cut.erase(line_start(4), line_start(5) - line_start(4));
  EXPECT_TRUE(starts(refusal(cut), ":4: expected the checksum ")) << refusal(cut);
}

TEST_F(Reading, FindsAnOldLineThatWasSealedAgain) {
  std::uint32_t crc = 0;
  opened(std::string_view(text).substr(0, line_start(2) - 1), &crc);
  std::string forged = text.substr(0, line_start(2));
  forged += sealed(text_of({2, 1, 1, AttemptLine{0, 0, {{"host", "elsewhere"}}}}), &crc);
  forged += text.substr(line_start(3));
  EXPECT_TRUE(starts(refusal(forged), ":3: expected the checksum "));
}

TEST_F(Reading, ChecksTheOrderOfLines) {
  const auto file_of = [](const std::vector<Event>& events) {
    std::string all;
    std::uint32_t crc = 0;
    for (const Event& event : events) all += sealed(text_of(event), &crc);
    return all;
  };
  const Event run{1, 0, 1, run_line({})}, attempt{2, 1, 1, AttemptLine{}};
  EXPECT_EQ(refusal(file_of({attempt})), ":1: expected seq 1, got 2");
  EXPECT_EQ(refusal(file_of({run, {2, 0, 1, run.line}})),
            ":2: expected the run line first, and nowhere else");
  EXPECT_EQ(refusal(file_of({run, {2, 0, 1, EndLine{}}})),
            ":2: expected an attempt line before the other lines of the attempt");
  EXPECT_EQ(refusal(file_of({run, {2, 2, 1, AttemptLine{}}})), ":2: expected attempt 1, got 2");
  EXPECT_EQ(refusal(file_of({run, {2, 1, 1, AttemptLine{5, 2, {}}}})),
            ":2: expected a from_seq of at most 1, got 2");
  EXPECT_EQ(refusal(file_of({run, attempt, {3, 1, 1, EndLine{}}, {4, 1, 1, EndLine{}}})),
            ":4: expected an attempt line before the other lines of the attempt");
}

}  // namespace results
