#include "runner/workspace/end_note.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

const EndNote kNote = {
    results::RunState::kTimeout, "did not end within 2 h", 3, 10.5, "ada@abacus, process 7", "now"};

}  // namespace

TEST(EndNotes, AreReadAsTheyWereWritten) {
  const ScratchFolder folder;
  EXPECT_FALSE(read_end_note(folder.path()));
  write_end_note(folder.path(), kNote);
  const auto note = read_end_note(folder.path());
  ASSERT_TRUE(note);
  EXPECT_EQ(note->state, kNote.state);
  EXPECT_EQ(note->why, kNote.why);
  EXPECT_EQ(note->tries, 3);
  EXPECT_EQ(note->starts_again, 10.5);
  EXPECT_EQ(note->by, kNote.by);
}

TEST(EndNotes, ExpireOnceTheRunHasStartedAgain) {
  const ScratchFolder folder;
  write_end_note(folder.path(), kNote);
  std::ofstream(folder.path() / "events.jsonl") << "one more line\n";
  EXPECT_FALSE(read_end_note(folder.path()));
}

TEST(EndNotes, AreNoneIfDamaged) {
  const ScratchFolder folder;
  for (const char* text : {"", "[]", "{}", R"({"schema":"lcsm.outcome/1","events":0,"why":1})"}) {
    std::ofstream(folder.path() / "outcome.json") << text;
    EXPECT_FALSE(read_end_note(folder.path())) << text;
  }
}

}  // namespace runner
