#include "runner/base/files/text_tail.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

using Lines = std::vector<std::string>;

class TextTails : public ::testing::Test {
 protected:
  void write(const std::string& text) { std::ofstream(file_) << text; }

  ScratchFolder scratch_;
  const std::filesystem::path file_ = scratch_.path() / "log";
};

}  // namespace

TEST_F(TextTails, LastLinesAreWhole) {
  EXPECT_EQ(last_lines(file_, 2, 100), Lines());
  write("");
  EXPECT_EQ(last_lines(file_, 2, 100), Lines());
  write("one\ntwo\nthree");
  EXPECT_EQ(last_lines(file_, 2, 100), (Lines{"two", "three"}));
  EXPECT_EQ(last_lines(file_, 5, 100), (Lines{"one", "two", "three"}));
  EXPECT_EQ(last_lines(file_, 5, 7), Lines{"three"}) << "the rest of 'two' is left out";
  EXPECT_EQ(last_lines(file_, 5, 3), Lines{"ree"}) << "the only line";
}

TEST_F(TextTails, StartsOverWhenTheFileWasTruncated) {
  TextTail tail(file_);
  EXPECT_EQ(tail.read(), Lines());
  write("one\ntw");
  EXPECT_EQ(tail.read(), Lines{"one"});
  write("one\ntwo\n\n");
  EXPECT_EQ(tail.read(), (Lines{"two", ""}));
  write("3\n");
  EXPECT_EQ(tail.read(), Lines{"3"});
}

}  // namespace runner
