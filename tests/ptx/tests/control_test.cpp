// Branches, divergence, calls: lanes diverge and meet again.
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/ptx/tests/one_statement.h"

namespace ptx {
namespace {

const std::string kStore =
    "\nmul.wide.u32 %rd4, %r9, 4; add.u64 %rd5, %rd1, %rd4; st.global.u32 [%rd5], %r1;";

std::vector<u32> results(const std::string& body, const std::string& functions = "",
                         Report* report = nullptr) {
  Memory memory;
  const Program program = read_program("control_test", module_of(body, functions), memory);
  Array<u32> out(memory, "out", 64);
  const Report got = run(program, memory, {"k", {}, {64, 1, 1}, 0, {u64{0}, out, u64{0}}});
  if (report != nullptr)
    *report = got;
  else
    EXPECT_EQ(got.text(), "");
  return out.get();
}

}  // namespace

TEST(Control, LoopsOfDifferentLength) {
  const auto out = results(
      "mov.u32 %r1, 0; mov.u32 %r2, %r9;\nLOOP: setp.eq.u32 %p1, %r2, 0; @%p1 bra DONE;\n"
      "add.u32 %r1, %r1, %r2; sub.u32 %r2, %r2, 1; bra.uni LOOP;\nDONE:" +
      kStore);
  for (u32 k = 0; k < 64; ++k) EXPECT_EQ(out[k], k * (k + 1) / 2);
}

// The lanes that branch meet the others at an address above theirs.
TEST(Control, LanesMeetAgainAbove) {
  const auto out = results(
      "bra BEGIN;\nMEET: vote.sync.ballot.b32 %r3, %p1, -1; and.b32 %r3, %r3, 15; "
      "add.u32 %r1, %r1, %r3; bra DONE;\n"
      "BEGIN: and.b32 %r2, %r9, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra EVEN; mov.u32 %r1, 5; "
      "bra MEET;\nEVEN: mov.u32 %r1, 6; bra MEET;\nDONE:" +
      kStore);
  for (u32 k = 0; k < 64; ++k) EXPECT_EQ(out[k], (k % 2 == 0 ? 6u : 5u) + 5u);
}

TEST(Control, LanesMeetAgainAfterABranch) {
  Report report;
  const auto out = results(
      "and.b32 %r2, %r9, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra EVEN; mov.u32 %r1, 5; bra MEET;\n"
      "EVEN: mov.u32 %r1, 6;\nMEET: vote.sync.ballot.b32 %r3, %p1, -1; and.b32 %r3, %r3, 15; "
      "add.u32 %r1, %r1, %r3;" +
          kStore,
      "", &report);
  EXPECT_EQ(out[0], 6u + 5);
  EXPECT_EQ(out[63], 5u + 5);
  EXPECT_EQ(report.text(), "");
}

TEST(Control, CallsWithDivergentReturns) {
  const std::string function =
      ".func (.param .b32 result) twice(.param .b32 a, .param .b32 limit) {\n.reg .b32 %r<4>; .reg "
      ".pred %p<2>;\n"
      "ld.param.u32 %r1, [a]; ld.param.u32 %r2, [limit]; st.param.b32 [result+0], %r1;\n"
      "setp.lt.u32 %p1, %r1, %r2; @%p1 ret; add.u32 %r3, %r1, %r1; st.param.b32 [result], %r3; "
      "ret;\n}\n";
  const std::string call =
      "{ .param .b32 first; st.param.b32 [first], %r9; .param .b32 second; st.param.b32 [second], "
      "10;\n"
      ".param .b32 got; call.uni (got), twice, (first, second); ld.param.b32 %r1, [got]; }\n";
  const auto out = results(call + call + kStore, function);
  for (u32 k = 0; k < 64; ++k) EXPECT_EQ(out[k], k < 10 ? k : 2 * k);
}

TEST(Control, PredicatesAndEarlyExit) {
  const auto out =
      results("setp.lt.u32 %p1, %r9, 40; @!%p1 ret; mov.u32 %r1, 3; @%p1 mov.u32 %r1, 4;" + kStore);
  EXPECT_EQ(out[39], 4u);
  EXPECT_EQ(out[40], ~0u) << "poison";
}

TEST(Control, GridsOfThreeAxes) {
  Memory memory;
  const Program program =
      read_program("grid",
                   module_of("mov.u32 %r1, %ctaid.z; mad.lo.u32 %r1, %r1, 3, 0; mov.u32 %r2, "
                             "%ctaid.y; add.u32 %r1, %r1, %r2;\n"
                             "shl.b32 %r1, %r1, 3; mov.u32 %r2, %tid.z; mov.u32 %r3, %ntid.y; "
                             "mad.lo.u32 %r2, %r2, %r3, 0;\n"
                             "mov.u32 %r3, %tid.y; add.u32 %r2, %r2, %r3; mov.u32 %r4, %ntid.x; "
                             "mad.lo.u32 %r2, %r2, %r4, %r9;\n"
                             "add.u32 %r1, %r1, %r2; mul.wide.u32 %rd4, %r1, 4; add.u64 %rd5, "
                             "%rd1, %rd4; st.global.u32 [%rd5], %r1;"),
                   memory);
  Array<u32> out(memory, "out", 48);
  const Report report = run(program, memory, {"k", {1, 3, 2}, {2, 2, 2}, 0, {u64{0}, out, u64{0}}});
  for (u32 k = 0; k < 48; ++k) EXPECT_EQ(out.get()[k], k);
  EXPECT_EQ(report.counts.blocks, 6u);
}

TEST(Control, EndlessLoopsEnd) {
  Memory memory;
  const Program program = read_program("endless", module_of("FOREVER: bra FOREVER;"), memory);
  Options options;
  options.limit = 1000;
  const Report report =
      run(program, memory, {"k", {}, {32, 1, 1}, 0, {u64{0}, u64{0}, u64{0}}}, options);
  ASSERT_NE(report.find(Fault::kStuck), nullptr);
  EXPECT_EQ(report.find(Fault::kStuck)->line, 16);
}

TEST(Control, RecursionAndForeignFunctionsAreRefused) {
  EXPECT_THROW(results("call nowhere, ();"), std::runtime_error);
  EXPECT_THROW(results("call.uni again, ();", ".func again() { call.uni again, (); ret; }"),
               std::runtime_error);
}

}  // namespace ptx
