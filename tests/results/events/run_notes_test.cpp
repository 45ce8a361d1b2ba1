#include "results/events/run_notes.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/message_of.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> texts_of(const fs::path& folder) {
  std::vector<std::string> texts;
  for (const RunNote& note : read_notes(folder).notes) texts.push_back(note.text);
  return texts;
}

}  // namespace

TEST(RunNotes, AreNoneInAFolderWithoutThem) {
  const Scratch scratch;
  EXPECT_EQ(read_notes(scratch.path()), RunNotes{});
}

TEST(RunNotes, TagsAreASet) {
  const Scratch scratch;
  EXPECT_TRUE(add_tag(scratch.path(), "good"));
  EXPECT_TRUE(add_tag(scratch.path(), "best"));
  EXPECT_FALSE(add_tag(scratch.path(), "best"));
  EXPECT_EQ(read_notes(scratch.path()).tags, (std::vector<std::string>{"best", "good"}));
  EXPECT_TRUE(remove_tag(scratch.path(), "good"));
  EXPECT_FALSE(remove_tag(scratch.path(), "good"));
  EXPECT_EQ(read_notes(scratch.path()).tags, std::vector<std::string>{"best"});
}

TEST(RunNotes, RefuseNamesThatLeaveTheFolder) {
  const Scratch scratch;
  for (const char* tag : {"", "../up", "a/b", ".hidden", "a b"}) {
    EXPECT_THROW(add_tag(scratch.path(), tag), std::invalid_argument) << tag;
    EXPECT_THROW(remove_tag(scratch.path(), tag), std::invalid_argument) << tag;
  }
}

TEST(RunNotes, KeepTheirTextAndTheirTime) {
  const Scratch scratch;
  add_note(scratch.path(), "the learning rate\nwas too high");
  const auto notes = read_notes(scratch.path()).notes;
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].text, "the learning rate\nwas too high");
  EXPECT_EQ(notes[0].name.size(), std::string("2026-11-23T19-30-05Z-1a2b3c4d").size());
  remove_note(scratch.path(), notes[0]);
  EXPECT_EQ(read_notes(scratch.path()), RunNotes{});
}

TEST(RunNotes, RefuseTextsThatSayNothingOrTooMuch) {
  const Scratch scratch;
  for (const std::string& text : {std::string(), std::string(" \n"), std::string(10'001, 'x')})
    EXPECT_THROW(add_note(scratch.path(), text), std::invalid_argument) << text.size();
}

TEST(RunNotes, SayWhichFolderCannotBeCreated) {
  const Scratch scratch;
  write_text(scratch.path() / "notes", "a file");
  EXPECT_EQ(message_of([&] { add_tag(scratch.path(), "good"); }),
            "'" + (scratch.path() / "notes").string() +
                "' cannot be created: File exists; choose another workspace");
}

TEST(RunNotes, MayBeWrittenByHandAndOtherFilesAreIgnored) {
  const Scratch scratch;
  fs::create_directories(scratch.path() / "notes" / "more.tag");
  write_text(scratch.path() / "notes" / "why.txt", "by hand");
  write_text(scratch.path() / "notes" / "plot.png", "?");
  write_text(scratch.path() / "notes" / ".why.txt.7.tmp", "half");
  EXPECT_EQ(read_notes(scratch.path()), (RunNotes{{}, {{"why", "by hand"}}}));
}

TEST(RunNotes, UniteInAnyOrderAndAnyNumberOfTimes) {
  const Scratch a, b;
  add_tag(a.path(), "best");
  add_note(a.path(), "from a");
  add_note(b.path(), "from b");
  write_text(a.path() / "notes" / "x.txt", "1");
  write_text(b.path() / "notes" / "x.txt", "2");
  for (int i = 0; i < 2; ++i) {
    unite_notes(a.path(), b.path());
    unite_notes(b.path(), a.path());
    EXPECT_EQ(read_notes(a.path()), read_notes(b.path()));
  }
  EXPECT_EQ(texts_of(a.path()).size(), 3U);
  EXPECT_EQ(texts_of(a.path()).back(), "2");
}

}  // namespace results
