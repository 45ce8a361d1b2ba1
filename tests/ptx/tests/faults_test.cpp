// For every check, the smallest kernel with a planted fault, which is found at its line, and the
// kernel without the fault, in which nothing is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "tests/message_of.h"
#include "tests/ptx/tests/one_statement.h"

namespace ptx {
namespace {

// Two warps; p0 has 64 words, p1 room for 64. Shared memory: 1024 bytes at `tile`.
Report judge(const std::string& body, Options options = {}, Size grid = {}, unsigned threads = 64) {
  Memory memory;
  const Program program = read_program(
      "faults",
      module_of(
          "mul.wide.u32 %rd4, %r9, 4; add.u64 %rd5, %rd0, %rd4; add.u64 %rd6, %rd1, %rd4;\n"
          "shl.b32 %r2, %r9, 2; mov.u32 %r3, tile; add.u32 %r3, %r3, %r2; xor.b32 %r4, %r3, 128;\n"
          "setp.lt.u32 %p1, %r9, 32; setp.eq.u32 %p2, %r9, 0;\n" +
              body,
          ".shared .align 16 .b8 tile[1024];"),
      memory);
  Array<u32> in(memory, "in", std::vector<u32>(64, 1)), out(memory, "out", 64);
  return run(program, memory, {"k", grid, {threads, 1, 1}, 0, {in, out, u64{0}}}, options);
}

// The finding names kernel and line; lines of `body` count from 19.
void expect_found(const std::string& body, Fault fault, int line, const std::string& detail,
                  Options options = {}, Size grid = {}) {
  const Report report = judge(body, options, grid);
  const bool found =
      std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& each) {
        return each.fault == fault && each.line == line && each.kernel == "k" &&
               each.text.find(detail) != std::string::npos;
      });
  EXPECT_TRUE(found) << body << "\nexpected line " << line << ": " << detail << ", got\n"
                     << report.text();
}

void expect_clean(const std::string& body, Size grid = {}, unsigned threads = 64) {
  for (u32 order = 0; order < 4; ++order) {
    Options options;
    options.order = order;
    EXPECT_EQ(judge(body, options, grid, threads).text(), "") << body;
  }
}

}  // namespace

TEST(Faults, MoreThreadsThanAKernelIsCompiledFor) {
  Memory memory;
  const Program program = read_program("bounded",
                                       ".version 8.8\n.target sm_90\n.address_size 64\n"
                                       ".visible .entry k()\n.maxntid 32, 1, 1\n{\nret;\n}\n",
                                       memory);
  EXPECT_EQ(run(program, memory, {"k", {}, {32, 1, 1}, 0, {}}).text(), "");
  const auto more = [&] { run(program, memory, {"k", {}, {64, 1, 1}, 0, {}}); };
  EXPECT_EQ(message_of<std::runtime_error>(more), "k: expected 1 to 32 threads a block, got 64");
}

TEST(Faults, ReadWithoutABarrier) {
  expect_clean("st.shared.u32 [%r3], %r9;\nbar.sync 0;\nld.shared.u32 %r1, [%r4];");
  expect_found("st.shared.u32 [%r3], %r9;\nld.shared.u32 %r1, [%r4];", Fault::kRace, 20,
               "read against an unordered write at PTX line 19");
}

TEST(Faults, WriteWithoutABarrierAfterReads) {
  const std::string begin = "st.shared.u32 [%r3], %r9;\nbar.sync 0;\nld.shared.u32 %r1, [%r4];\n";
  expect_clean(begin + "bar.sync 0;\nst.shared.u32 [%r3], %r1;");
  expect_found(begin + "st.shared.u32 [%r3], %r1;", Fault::kRace, 22,
               "write against an unordered read at PTX line 21");
}

TEST(Faults, LanesOfAWarpNeedABarrierToo) {
  const std::string other = "xor.b32 %r4, %r3, 4;\n";
  expect_clean(other + "st.shared.u32 [%r3], %r9;\nbar.warp.sync -1;\nld.shared.u32 %r1, [%r4];");
  expect_found(other + "st.shared.u32 [%r3], %r9;\nld.shared.u32 %r1, [%r4];", Fault::kRace, 21,
               "unordered write");
}

// Two halves of a warp synchronize each on its own, as tiles of cooperative groups do.
TEST(Faults, TilesOfAWarp) {
  const std::string mask =
      "and.b32 %r5, %r9, 16; setp.eq.u32 %p3, %r5, 0; selp.b32 %r6, 0x0000ffff, 0xffff0000, %p3;\n";
  const auto exchange = [&](const char* distance) {
    std::string text = mask;
    text += "xor.b32 %r4, %r3, ";
    text += distance;
    text +=
        ";\nst.shared.u32 [%r3], %r9;\n@%p3 bra A;\nbar.warp.sync %r6;\nld.shared.u32 %r1, [%r4];\n"
        "bra B;\nA: bar.warp.sync %r6;\nld.shared.u32 %r1, [%r4];\nB:";
    return text;
  };
  expect_clean(exchange("4"));
  expect_found(exchange("64"), Fault::kRace, 24, "unordered write");  // of the other tile
}

TEST(Faults, BarriersOfSomeWarps) {
  const std::string produce =
      "@!%p1 bra CONSUME;\nst.shared.u32 [%r3], 1;\nbar.arrive 3, 64;\nbra END;\nCONSUME:\n";
  expect_clean(produce + "bar.sync 3, 64;\nld.shared.u32 %r1, [%r4];\nEND:");
  const std::string reverse =
      "@!%p1 bra CONSUME;\nbar.arrive 3, 64;\nst.shared.u32 [%r3], 1;\nbra END;\nCONSUME:\n";
  expect_found(reverse + "bar.sync 3, 64;\nld.shared.u32 %r1, [%r4];\nEND:", Fault::kRace, 25,
               "read against an unordered write at PTX line 21");
}

// Readers arrive, one after the other; the writer waits for both.
TEST(Faults, ReadersThatArriveInTurn) {
  const std::string body =
      "mov.u32 %r10, tile; setp.ge.u32 %p3, %r9, 64; @%p3 bra WRITE;\nbar.sync 1, "
      "96;\nld.shared.u32 %r1, [%r10];\nbar.arrive 2, 96;\nbra END;\n"
      "WRITE: setp.eq.u32 %p2, %r9, 64;\n@%p2 st.shared.u32 [%r10], 5;\nbar.sync 1, 96;\nbar.sync "
      "2, 96;\n@%p2 st.shared.u32 [%r10], 6;\nEND:";
  expect_clean(body, {}, 96);
}

TEST(Faults, UnwrittenMemory) {
  expect_found("ld.shared.u32 %r1, [%r3];", Fault::kUnwritten, 19, "shared memory");
  expect_found("ld.global.u32 %r1, [%rd6];", Fault::kUnwritten, 19, "out");
  expect_found(".local .align 4 .b8 depot[8];\nmov.u64 %rd7, depot;\nld.local.u32 %r1, [%rd7];",
               Fault::kUnwritten, 21, "local memory");
  expect_clean(
      "ld.global.u32 %r1, [%rd5];\nst.global.u32 [%rd6], %r1;\nld.global.u32 %r1, [%rd6];");
}

TEST(Faults, OutOfBounds) {
  expect_found("ld.global.u32 %r1, [%rd5+4];", Fault::kOutOfBounds, 19,
               "4 bytes at 256 of 256 of in");
  expect_found("ld.global.u32 %r1, [%rd5+-4];", Fault::kOutOfBounds, 19,
               "4 bytes at -4 of 256 of in");
  expect_found("st.shared.u32 [%r3+900], %r1;", Fault::kOutOfBounds, 19, "shared memory");
  expect_found("mov.u64 %rd7, 0; ld.global.u32 %r1, [%rd7];", Fault::kOutOfBounds, 19,
               "no allocation");
}

TEST(Faults, Misaligned) {
  expect_found("ld.global.u32 %r1, [%rd5+2];", Fault::kMisaligned, 19, "no multiple of 4");
  expect_found("ld.global.v2.u32 {%r1, %r5}, [%rd5];", Fault::kMisaligned, 19, "no multiple of 8");
}

TEST(Faults, ReadOnlyMemory) {
  Memory memory;
  const Program program =
      read_program("protected", module_of("st.global.u32 [%rd0], %r9;"), memory);
  Array<u32> in(memory, "in", std::vector<u32>{1});
  memory.protect(in.address());
  const Report report = run(program, memory, {"k", {}, {}, 0, {in, u64{0}, u64{0}}});
  ASSERT_NE(report.find(Fault::kReadOnly), nullptr);
  EXPECT_EQ(in.get()[0], 1u);
  expect_found("st.global.u32 [%rd6], %r9;\nld.global.nc.u32 %r1, [%rd6];", Fault::kReadOnly, 20,
               "which this launch writes");
}

TEST(Faults, CopiesInFlight) {
  const std::string copy = "cp.async.ca.shared.global [%r3], [%rd5], 4;\ncp.async.commit_group;\n";
  expect_clean(copy + "cp.async.wait_group 0;\nbar.sync 0;\nld.shared.u32 %r1, [%r4];");
  expect_found(copy + "ld.shared.u32 %r1, [%r3];\ncp.async.wait_all;", Fault::kInFlight, 21,
               "cp.async still copies at PTX line 19");
  expect_found(
      copy + "cp.async.wait_group 1;\nbar.sync 0;\nld.shared.u32 %r1, [%r4];\ncp.async.wait_all;",
      Fault::kInFlight, 23, "still copies");
  expect_found(copy + "cp.async.wait_group 0;\nld.shared.u32 %r1, [%r4];", Fault::kRace, 22,
               "unordered write");
  expect_found(copy, Fault::kInFlight, 22, "ends before its cp.async is waited for");
}

TEST(Faults, DivergentBarriers) {
  expect_found("@%p1 bar.sync 0;", Fault::kDivergence, 19,
               "64 threads that 32 reach; others have ended");
  expect_found("@%p2 bar.sync 0;\n@!%p2 bar.sync 0;", Fault::kDivergence, 19, "part of a warp");
  expect_found("@%p1 bra A;\nbar.sync 0;\nbra B;\nA: bar.sync 0;\nB:", Fault::kDivergence, 20,
               "elsewhere at PTX line 22");
  expect_found("bar.sync 1, 96;", Fault::kDivergence, 19, "96 threads that 64 reach");
  expect_found("mov.u32 %r1, 64; @!%p1 mov.u32 %r1, 32;\nbar.sync 1, %r1;", Fault::kDivergence, 20,
               "others came for");
}

TEST(Faults, BlocksThatShareMemory) {
  expect_found("@%p2 st.global.u32 [%rd1], %r9;", Fault::kRace, 19,
               "write against an unordered write", {}, {2, 1, 1});
  expect_clean("@%p2 atom.global.add.u32 %r1, [%rd0], 1;", {2, 1, 1});
}

// The last block to count itself reads the other blocks' writes: correct with a fence before the
// count.
TEST(Faults, LastBlockReadsTheOthers) {
  const auto body = [](const std::string& fence) {
    std::string text =
        "mov.u32 %r5, %ctaid.x; mul.wide.u32 %rd7, %r5, 4; add.u64 %rd7, %rd1, %rd7;\n"
        "@!%p2 bra END;\nst.global.u32 [%rd7], 7;\n";
    text += fence;
    text +=
        "\natom.global.add.u32 %r6, [%rd0], 1;\nsetp.ne.u32 %p3, %r6, 2; @%p3 bra END;\n"
        "ld.global.u32 %r1, [%rd1];\nEND:";
    return text;
  };
  expect_clean(body("membar.gl;"), {2, 1, 1});
  expect_clean(body("fence.acq_rel.gpu;"), {2, 1, 1});
  expect_found(body("membar.cta;"), Fault::kRace, 25, "read against an unordered write", {},
               {2, 1, 1});
}

// The loser of a race depends on the order. Without the race check, a single run would not show it.
TEST(Faults, ResultsThatDependOnTheOrder) {
  Memory memory;
  const Program program =
      read_program("order", module_of("mov.u32 %r1, %ctaid.x; st.global.u32 [%rd1], %r1;"), memory);
  Array<u32> out(memory, "out", 1);
  Options options;
  options.check_races = false;
  const Launch launch = {"k", {8, 1, 1}, {32, 1, 1}, 0, {u64{0}, out, u64{0}}};
  EXPECT_EQ(run(program, memory, launch, options).text(), "");
  const Report report = run_in_orders(program, memory, launch, 4, options);
  ASSERT_NE(report.find(Fault::kOrder), nullptr);
  EXPECT_NE(report.text().find("byte 0 of out differs"), std::string::npos);
}

}  // namespace ptx
