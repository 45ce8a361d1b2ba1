#include "tests/ptx/statements.h"

#include <gtest/gtest.h>

namespace ptx {
namespace {

// "line text" of each.
std::vector<std::string> cuts_of(const std::string& text) {
  std::vector<std::string> cuts;
  for (const Statement& each : statements_of(text))
    cuts.push_back(std::to_string(each.line) + " " + each.text);
  return cuts;
}

}  // namespace

TEST(Statements, CommentsAreBlanks) {
  EXPECT_EQ(cuts_of("// begin; inline asm\n\tmov.u32 %r1, %r2; /* a;\n b */\tret/**/;//"),
            (std::vector<std::string>{"2 mov.u32 %r1, %r2", "3 ret"}));
}

TEST(Statements, LinesEndDirectivesAndNothingElse) {
  EXPECT_EQ(cuts_of(".version 9.0\n.loc 1 2 3\nadd.u32\n  %r1,\t%r2, 1;\n.file 1 \"a/b.cu\"\n"),
            (std::vector<std::string>{"1 .version 9.0", "2 .loc 1 2 3", "3 add.u32 %r1, %r2, 1",
                                      "5 .file 1 \"a/b.cu\""}));
}

TEST(Statements, BracesOfOperandsOpenNoScope) {
  const auto cuts = statements_of("$L1: ld.v2.b32 {%r1, %r2}, [%rd1]; { .reg .b32 t; }");
  ASSERT_EQ(cuts.size(), 5u);
  EXPECT_EQ(cuts[0].cut, Cut::kLabel);
  EXPECT_EQ(cuts[1].text, "ld.v2.b32 {%r1, %r2}, [%rd1]");
  EXPECT_EQ(cuts[2].cut, Cut::kOpen);
  EXPECT_EQ(cuts[3].text, ".reg .b32 t");
  EXPECT_EQ(cuts[4].cut, Cut::kClose);
}

}  // namespace ptx
