#include "tests/ptx/memory.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/ptx/tests/one_statement.h"

namespace ptx {
namespace {

// 32 values of 32 bits that a kernel stores to p1, from what p0 holds.
std::vector<u32> outputs(const std::string& body, const std::vector<u32>& input = {},
                         Report* report = nullptr, u64 shared = 0,
                         const std::string& globals = "") {
  Memory memory;
  const Program program = read_program("memory_test", module_of(body, globals), memory);
  Array<u32> in(memory, "in", input), out(memory, "out", 32);
  const Report got = run(program, memory, {"k", {}, {32, 1, 1}, shared, {in, out, u64{0}}});
  if (report != nullptr)
    *report = got;
  else
    EXPECT_EQ(got.text(), "");
  return out.get();
}

// %rd5 = p1 + 4 tid, %rd6 = p0 + 4 tid
const std::string kPlaces =
    "mul.wide.u32 %rd4, %r9, 4; add.u64 %rd5, %rd1, %rd4; add.u64 %rd6, %rd0, %rd4;\n";

std::vector<u32> counted(u32 first) {
  std::vector<u32> values(32);
  for (u32 k = 0; k < 32; ++k) values[k] = first + k;
  return values;
}

}  // namespace

TEST(Memory, LoadsExtendTheSignOfNarrowTypes) {
  const std::vector<u32> in(32, 0xfffe80ff);
  EXPECT_EQ(outputs(kPlaces + "ld.global.s8 %r1, [%rd6+1]; st.global.u32 [%rd5], %r1;", in)[3],
            0xffffff80);
  EXPECT_EQ(outputs(kPlaces + "ld.global.u8 %r1, [%rd6+1]; st.global.u32 [%rd5], %r1;", in)[3],
            0x80u);
  EXPECT_EQ(outputs(kPlaces + "ld.global.s16 %r1, [%rd6]; st.global.u32 [%rd5], %r1;", in)[3],
            0xffff80ff);
  EXPECT_EQ(outputs(kPlaces + "ld.global.nc.L1::no_allocate.u16 %h1, [%rd6]; cvt.u32.u16 %r1, %h1; "
                              "st.global.cs.u32 [%rd5], %r1;",
                    in)[3],
            0x80ffu);
}

TEST(Memory, VectorsAndGenericAddresses) {
  const std::string body =
      "setp.ge.u32 %p1, %r9, 8; @%p1 bra END;\n"
      "mul.wide.u32 %rd4, %r9, 16; add.u64 %rd5, %rd1, %rd4; add.u64 %rd6, %rd0, %rd4;\n"
      "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd6];\n"
      "st.v2.u32 [%rd5], {%r4, %r3}; st.v2.u32 [%rd5+8], {%r2, %r1};\nEND:\n";
  const auto out = outputs(body, counted(0));
  EXPECT_EQ(out[0], 3u);
  EXPECT_EQ(out[31], 28u);
}

TEST(Memory, SharedStaticDynamicAndWindows) {
  const std::string body =
      kPlaces +
      ".shared .align 4 .b8 fixed[128];\n"
      "shl.b32 %r2, %r9, 2; mov.u32 %r3, fixed; add.u32 %r4, %r3, %r2;\n"
      "st.shared.u32 [%r4], %r9; mov.u32 %r5, grown; add.u32 %r5, %r5, %r2; st.shared.u32 [%r5], "
      "%r2;\n"
      "bar.sync 0; xor.b32 %r6, %r2, 124; add.u32 %r7, %r3, %r6; ld.shared.u32 %r1, [%r7];\n"
      "cvt.u64.u32 %rd7, %r5; cvta.shared.u64 %rd8, %rd7;\n"
      "ld.u32 %r8, [%rd8]; add.u32 %r1, %r1, %r8; cvta.to.shared.u64 %rd9, %rd8;\n"
      "cvt.u32.u64 %r10, %rd9; setp.eq.u32 %p2, %r10, %r5; selp.b32 %r1, %r1, 0, %p2;\n"
      "st.global.u32 [%rd5], %r1;";
  const auto out = outputs(body, {}, nullptr, 128, ".extern .shared .align 16 .b8 grown[];");
  for (u32 k = 0; k < 32; ++k) EXPECT_EQ(out[k], 31 - k + 4 * k);
}

TEST(Memory, LocalIsPrivateToALane) {
  const std::string body =
      kPlaces +
      ".local .align 8 .b8 depot[16]; mov.u64 %rd7, depot; cvta.local.u64 %rd8, %rd7;\n"
      "st.local.u32 [%rd7+8], %r9; ld.u32 %r1, [%rd8+8]; st.global.u32 [%rd5], %r1;";
  EXPECT_EQ(outputs(body), counted(0));
}

TEST(Memory, ArraysOfTheModule) {
  const std::string arrays =
      ".const .align 4 .f32 table[2] = {0f3F800000, 2.0};\n.global .align 4 .u32 counter = 7;\n"
      ".global .align 1 .b8 bytes[4] = {1, 2, 3, 4};";
  const std::string body =
      kPlaces +
      "ld.const.f32 %f1, [table+4]; cvt.rzi.u32.f32 %r1, %f1; ld.global.u32 %r2, [counter];\n"
      "mov.u64 %rd7, bytes; ld.global.u32 %r3, [%rd7]; add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, "
      "%r3;\n"
      "st.global.u32 [%rd5], %r1;";
  EXPECT_EQ(outputs(body, {}, nullptr, 0, arrays)[5], 2 + 7 + 0x04030201u);
}

TEST(Memory, AtomicsOfSharedMemory) {
  const std::string body =
      kPlaces +
      "mov.u32 %r2, 1; setp.eq.u32 %p1, %r9, 0; @%p1 st.shared.u32 [cell], %r2; bar.sync 0;\n"
      "atom.shared.add.u32 %r3, [cell], 2;\nbar.sync 0; ld.shared.u32 %r5, [cell]; "
      "st.global.u32 [%rd5], %r5;";
  EXPECT_EQ(outputs(body, {}, nullptr, 0, ".shared .align 4 .u32 cell;")[0], 65u);
}

TEST(Memory, AtomicsReturnWhatWasThere) {
  const auto out =
      outputs(kPlaces + "atom.global.add.u32 %r1, [%rd0], 1; st.global.u32 [%rd5], %r1;", {0});
  EXPECT_EQ(out, counted(0));
}

TEST(Memory, ParametersOfEverySize) {
  Memory memory;
  const Program program =
      read_program("parameters",
                   ".visible .entry k(.param .align 8 .b8 s[16], .param .u64 out)\n{"
                   ".reg .b64 %rd<3>; .reg .b32 %r<3>; .reg .b16 %h<2>; ld.param.u16 %h1, [s+2]; "
                   "cvt.u32.u16 %r1, %h1;"
                   "mov.b64 %rd2, s; ld.param.u32 %r2, [%rd2+8]; add.u32 %r1, %r1, %r2;"
                   "ld.param.u64 %rd1, [out]; st.global.u32 [%rd1], %r1; ret; }",
                   memory);
  struct Pair {
    u16 a, b;
    u32 c;
    u64 d;
  } pair = {1, 20, 300, 4000};
  Array<u32> out(memory, "out", 1);
  run(program, memory, {"k", {}, {}, 0, {pair, out}});
  EXPECT_EQ(out.get()[0], 4020u);
  EXPECT_THROW(run(program, memory, {"k", {}, {}, 0, {pair}}), std::runtime_error);
  EXPECT_THROW(run(program, memory, {"k", {}, {}, 0, {pair, 1}}), std::runtime_error);
  EXPECT_THROW(run(program, memory, {"other", {}, {}, 0, {}}), std::runtime_error);
  EXPECT_THROW(run(program, memory, {"k", {}, {1025, 1, 1}, 0, {pair, out}}), std::runtime_error);
}

TEST(Memory, HostAccessesAreBounded) {
  Memory memory;
  const u64 a = memory.allocate("a", 8);
  const u32 value = 3;
  memory.write(a + 4, &value, 4);
  EXPECT_EQ(memory.unwritten(a, 8), 4u);
  EXPECT_THROW(memory.write(a + 6, &value, 4), std::runtime_error);
  memory.poison(a);
  EXPECT_EQ(memory.unwritten(a, 8), 8u);
  memory.free(a);
  EXPECT_THROW(memory.write(a, &value, 4), std::runtime_error);
}

}  // namespace ptx
