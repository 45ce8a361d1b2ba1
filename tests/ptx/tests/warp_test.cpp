// Instructions of several lanes, against formulas per lane.
#include <gtest/gtest.h>

#include "tests/ptx/tests/one_statement.h"

namespace ptx {
namespace {

// %r1 of every lane, where %r2 is 100 + lane.
std::vector<u32> warp(const std::string& body, Report* report = nullptr, unsigned threads = 32) {
  Memory memory;
  const Program program = read_program(
      "warp_test",
      module_of(
          "add.u32 %r2, %r9, 100; setp.lt.u32 %p1, %r9, 5;\n" + body +
          "\nmul.wide.u32 %rd4, %r9, 4; add.u64 %rd5, %rd1, %rd4; st.global.u32 [%rd5], %r1;"),
      memory);
  Array<u32> out(memory, "out", threads);
  const Report got = run(program, memory, {"k", {}, {threads, 1, 1}, 0, {u64{0}, out, u64{0}}});
  if (report != nullptr)
    *report = got;
  else
    EXPECT_EQ(got.text(), "");
  return out.get();
}

void expect_lanes(const std::string& body, u32 (*expected)(u32)) {
  const auto out = warp(body);
  for (u32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], expected(l)) << body << " lane " << l;
}

}  // namespace

TEST(WarpOperations, Shuffles) {
  expect_lanes("shfl.sync.bfly.b32 %r1, %r2, 5, 31, -1;", [](u32 l) { return 100 + (l ^ 5); });
  expect_lanes("shfl.sync.up.b32 %r1, %r2, 3, 0, -1;",
               [](u32 l) { return 100 + (l < 3 ? l : l - 3); });
  expect_lanes("shfl.sync.down.b32 %r1, %r2, 3, 31, -1;",
               [](u32 l) { return 100 + (l > 28 ? l : l + 3); });
  expect_lanes("shfl.sync.idx.b32 %r1, %r2, 7, 31, -1;", [](u32) { return 107u; });
}

// c = (32 - width) << 8 | 31: each segment of 8 lanes is a warp of its own.
TEST(WarpOperations, ShufflesWithinSegments) {
  expect_lanes("shfl.sync.idx.b32 %r1, %r2, 3, 6175, -1;",
               [](u32 l) { return 100 + l / 8 * 8 + 3; });
  expect_lanes("shfl.sync.down.b32 %r1, %r2, 2, 6175, -1;",
               [](u32 l) { return 100 + (l % 8 > 5 ? l : l + 2); });
  expect_lanes("shfl.sync.up.b32 %r1, %r2, 2, 6144, -1;",
               [](u32 l) { return 100 + (l % 8 < 2 ? l : l - 2); });
  expect_lanes("shfl.sync.down.b32 %r1|%p2, %r2, 2, 6175, -1; selp.b32 %r1, 1, 0, %p2;",
               [](u32 l) { return l % 8 < 6 ? 1u : 0u; });
}

TEST(WarpOperations, Votes) {
  expect_lanes("vote.sync.ballot.b32 %r1, %p1, -1;", [](u32) { return 31u; });
  expect_lanes("vote.sync.ballot.b32 %r1, !%p1, -1;", [](u32) { return ~31u; });
  expect_lanes("vote.sync.any.pred %p2, %p1, -1; selp.b32 %r1, 1, 0, %p2;", [](u32) { return 1u; });
  expect_lanes("vote.sync.all.pred %p2, %p1, -1; selp.b32 %r1, 1, 0, %p2;", [](u32) { return 0u; });
  expect_lanes("vote.sync.uni.pred %p2, %p1, -1; selp.b32 %r1, 1, 0, %p2;", [](u32) { return 0u; });
}

TEST(WarpOperations, PartOfAWarpMayShuffleAlone) {
  expect_lanes(
      "mov.u32 %r1, 0; @%p1 bra IN; bra OUT; IN: shfl.sync.idx.b32 %r1, %r2, 2, 31, 31; OUT:",
      [](u32 l) { return l < 5 ? 102u : 0u; });
}

TEST(WarpOperations, MissingLanesAreFound) {
  Report report;
  warp("mov.u32 %r1, 0; @%p1 shfl.sync.idx.b32 %r1, %r2, 2, 31, -1;", &report);
  ASSERT_NE(report.find(Fault::kDivergence), nullptr);
  EXPECT_NE(report.text().find("lanes of the member mask are elsewhere"), std::string::npos);
  warp("mov.u32 %r1, 0; @%p1 shfl.sync.idx.b32 %r1, %r2, 9, 31, 31;", &report);
  EXPECT_NE(report.text().find("not in the member mask"), std::string::npos) << report.text();
  warp("mov.u32 %r1, 0; @%p1 bra IN; bra OUT; IN: bar.warp.sync 15; OUT:", &report);
  EXPECT_NE(report.text().find("a lane is not in the member mask"), std::string::npos);
}

TEST(WarpOperations, BarriersThatCount) {
  const auto count = warp("bar.red.popc.u32 %r1, 0, %p1;", nullptr, 64);
  EXPECT_EQ(count[63], 5u);
  EXPECT_EQ(warp("bar.red.and.pred %p2, 0, %p1; selp.b32 %r1, 1, 0, %p2;", nullptr, 64)[9], 0u);
  EXPECT_EQ(
      warp("barrier.red.or.aligned.pred %p2, 0, !%p1; selp.b32 %r1, 1, 0, %p2;", nullptr, 64)[9],
      1u);
}

}  // namespace ptx
