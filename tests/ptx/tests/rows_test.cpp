// Every row of the opcode table, by statements with known results.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "tests/ptx/opcodes.h"
#include "tests/ptx/tests/one_statement.h"

namespace ptx {
namespace {

constexpr u64 kNan = 0x7fc00000, kMinusOne = 0xffffffff;

const std::vector<Case>& whole_numbers() {
  static const std::vector<Case> rows = {
      {"add.s32 %d, %a, %b", 5, 7, 0xfffffffe},
      {"add.u64 %d, %a, %b", 1, ~0ull, 2, 0, "8888"},
      {"add.s16 %d, %a, %b", 0x8000, 0x7fff, 1, 0, "2222"},
      {"sub.s32 %d, %a, %b", kMinusOne, 3, 4},
      {"mul.lo.s32 %d, %a, %b", 0xfffffff1, 5, 0xfffffffd},
      {"mul.hi.u32 %d, %a, %b", 0xfffffffe, kMinusOne, kMinusOne},
      {"mul.hi.s32 %d, %a, %b", 0, kMinusOne, kMinusOne},
      {"mul.hi.u64 %d, %a, %b", 1, 1ull << 32, 1ull << 32, 0, "8888"},
      {"mul.hi.s64 %d, %a, %b", ~0ull, ~0ull, 5, 0, "8888"},
      {"mul.wide.s32 %d, %a, %b", static_cast<u64>(-6), 3, 0xfffffffe, 0, "8444"},
      {"mul.wide.u32 %d, %a, %b", 0xfffffffe00000001, kMinusOne, kMinusOne, 0, "8444"},
      {"mul.wide.u16 %d, %a, %b", 0xfffe0001, 0xffff, 0xffff, 0, "4222"},
      {"mul.wide.s16 %d, %a, %b", 1, 0xffff, 0xffff, 0, "4222"},
      {"mad.lo.s32 %d, %a, %b, %c", 17, 3, 4, 5},
      {"mad.hi.u32 %d, %a, %b, %c", 5, 1u << 31, 4, 3},
      {"mad.wide.u32 %d, %a, %b, %c", 0xfffffffe00000002, kMinusOne, kMinusOne, 1, "8448"},
      {"mad.wide.s32 %d, %a, %b, %c", 3, kMinusOne, 2, 5, "8448"},
      {"div.s32 %d, %a, %b", 0xfffffffe, 0xfffffff9, 3},
      {"div.u32 %d, %a, %b", 3, 10, 3},
      {"div.u32 %d, %a, %b", kMinusOne, 10, 0},
      {"div.s32 %d, %a, %b", 0x80000000, 0x80000000, kMinusOne},
      {"rem.s32 %d, %a, %b", kMinusOne, 0xfffffff9, 3},
      {"rem.u64 %d, %a, %b", 1, 10, 3, 0, "8888"},
      {"min.s32 %d, %a, %b", kMinusOne, kMinusOne, 1},
      {"min.u32 %d, %a, %b", 1, kMinusOne, 1},
      {"max.s64 %d, %a, %b", 1, ~0ull, 1, 0, "8888"},
      {"neg.s32 %d, %a", kMinusOne, 1},
      {"abs.s32 %d, %a", 7, 0xfffffff9},
  };
  return rows;
}

const std::vector<Case>& bits_and_choices() {
  static const std::vector<Case> rows = {
      {"and.b32 %d, %a, %b", 4, 12, 6},
      {"or.b32 %d, %a, %b", 14, 12, 6},
      {"xor.b64 %d, %a, %b", 10, 12, 6, 0, "8888"},
      {"and.pred %d, %a, %b", 0, 1, 0, 0, "1111"},
      {"xor.pred %d, %a, %b", 1, 1, 0, 0, "1111"},
      {"not.b32 %d, %a", 0xfffffff3, 12},
      {"not.pred %d, %a", 1, 0, 0, 0, "1111"},
      {"shl.b32 %d, %a, %b", 48, 3, 4},
      {"shl.b32 %d, %a, %b", 0, 3, 32},
      {"shl.b64 %d, %a, %b", 1ull << 40, 1, 40, 0, "8844"},
      {"shr.u32 %d, %a, %b", 0x0fffffff, kMinusOne, 4},
      {"shr.s32 %d, %a, %b", kMinusOne, 0x80000000, 40},
      {"shr.s64 %d, %a, %b", ~0ull, 1ull << 63, 63, 0, "8844"},
      {"shf.l.wrap.b32 %d, %a, %b, %c", 0x00000018, 0x80000000, 1, 36},
      {"shf.r.wrap.b32 %d, %a, %b, %c", 0x18000000, 0x80000000, 1, 4},
      {"shf.r.clamp.b32 %d, %a, %b, %c", 7, 5, 7, 40},
      {"shf.l.clamp.b32 %d, %a, %b, %c", 5, 5, 7, 40},
      {"bfi.b32 %d, %a, %b, 8, 4", 0x00000f00, 0xff, 0},
      {"bfi.b64 %d, %a, %b, 32, 32", 0x0000000700000005, 7, 5, 0, "8888"},
      {"prmt.b32 %d, %a, %b, %c", 0x44332277, 0x44332211, 0x88776655, 0x3216},
      {"prmt.b32 %d, %a, %b, 0x9", 0x111111ff, 0x11118011, 0},
      {"setp.lt.s32 %d, %a, %b", 1, kMinusOne, 0, 0, "1444"},
      {"setp.lt.u32 %d, %a, %b", 0, kMinusOne, 0, 0, "1444"},
      {"setp.hs.u64 %d, %a, %b", 1, 5, 5, 0, "1888"},
      {"setp.gt.f32 %d, %a, %b", 0, kNan, 0, 0, "1444"},
      {"setp.gtu.f32 %d, %a, %b", 1, kNan, 0, 0, "1444"},
      {"setp.ne.f32 %d, %a, %b", 0, kNan, 0, 0, "1444"},
      {"setp.neu.f32 %d, %a, %b", 1, kNan, 0, 0, "1444"},
      {"setp.equ.f32 %d, %a, %b", 1, kNan, 0, 0, "1444"},
      {"setp.num.f32 %d, %a, %b", 0, kNan, 0, 0, "1444"},
      {"setp.nan.f64 %d, %a, %b", 0, bits(1.0), bits(2.0), 0, "1888"},
      {"setp.eq.and.s32 %d, %a, %b, %c", 0, 3, 3, 0, "1441"},
      {"setp.eq.or.s32 %q|%d, %a, %b, %c", 1, 3, 3, 1, "1441"},
      {"setp.eq.xor.s32 %d, %a, %b, !%c", 1, 3, 3, 1, "1441"},
      {"selp.b32 %d, %a, %b, %p", 7, 7, 8},
      {"selp.f64 %d, %a, %b, %p", 8, 0, 8, 0, "8888"},
  };
  return rows;
}

const std::vector<Case>& floats() {
  static const std::vector<Case> rows = {
      {"add.f32 %d, %a, %b", bits(3.5f), bits(1.0f), bits(2.5f)},
      {"add.rz.f32 %d, %a, %b", 0x3f7fffff, bits(1.0f), bits(-1e-9f)},
      {"add.rp.f32 %d, %a, %b", 0x3f800001, bits(1.0f), bits(1e-9f)},
      {"add.rm.f64 %d, %a, %b", bits(1.0), bits(1.0), bits(1e-30), 0, "8888"},
      {"add.ftz.f32 %d, %a, %b", bits(0.0f), 5, 6},
      {"add.sat.f32 %d, %a, %b", bits(1.0f), bits(1.0f), bits(2.5f)},
      {"sub.f64 %d, %a, %b", bits(-1.5), bits(1.0), bits(2.5), 0, "8888"},
      {"mul.f32 %d, %a, %b", bits(2.5f), bits(1.0f), bits(2.5f)},
      {"mul.ftz.f32 %d, %a, %b", 0x80000000, bits(-1e-30f), bits(1e-10f)},
      {"div.rn.f32 %d, %a, %b", bits(1.0f / 3), bits(1.0f), bits(3.0f)},
      {"div.rn.f64 %d, %a, %b", bits(1.0 / 3), bits(1.0), bits(3.0), 0, "8888"},
      {"div.full.f32 %d, %a, %b", bits(0.5f), bits(1.0f), bits(2.0f)},
      {"div.approx.ftz.f32 %d, %a, %b", bits(0.5f), bits(1.0f), bits(2.0f)},
      {"fma.rn.f32 %d, %a, %b, %c", bits(0x1p-24f), 0x3f800800, 0x3f800800, bits(-(1 + 0x1p-11f))},
      {"fma.rn.f64 %d, %a, %b, %c", bits(7.0), bits(2.0), bits(3.0), bits(1.0), "8888"},
      {"fma.rm.f32 %d, %a, %b, %c", 0x3f7fffff, bits(1.0f), bits(1.0f), bits(-1e-9f)},
      {"fma.rn.sat.f32 %d, %a, %b, %c", bits(0.0f), bits(1.0f), bits(1.0f), bits(-3.0f)},
      {"min.f32 %d, %a, %b", bits(1.0f), kNan, bits(1.0f)},
      {"min.f32 %d, %a, %b", 0x80000000, 0, 0x80000000},
      {"max.f64 %d, %a, %b", bits(2.0), bits(1.0), bits(2.0), 0, "8888"},
      {"min.NaN.f32 %d, %a, %b", kNan, kNan, bits(1.0f)},
      {"max.NaN.f32 %d, %a, %b", bits(2.0f), bits(2.0f), bits(1.0f)},
      {"max.NaN.bf16x2 %d, %a, %b", 0x40003f80, 0x40003f00, 0xbf803f80},
      {"max.NaN.bf16x2 %d, %a, %b", 0x7fffbf80, 0x7fc0c000, 0x3f80bf80},
      {"neg.f32 %d, %a", 0x80000000, 0},
      {"abs.f32 %d, %a", bits(3.0f), bits(-3.0f)},
      {"sqrt.rn.f32 %d, %a", bits(1.5f), bits(2.25f)},
      {"sqrt.approx.f32 %d, %a", bits(1.5f), bits(2.25f)},
      {"rcp.rn.f32 %d, %a", bits(1 / 3.0f), bits(3.0f)},
      {"rcp.rn.f64 %d, %a", bits(1 / 3.0), bits(3.0), 0, 0, "8888"},
      {"rcp.approx.ftz.f32 %d, %a", bits(0.25f), bits(4.0f)},
      {"rcp.approx.ftz.f64 %d, %a", bits(0.25), bits(4.0), 0, 0, "8888"},
      {"rsqrt.approx.f32 %d, %a", bits(0.5f), bits(4.0f)},
      {"ex2.approx.ftz.f32 %d, %a", bits(8.0f), bits(3.0f)},
      {"lg2.approx.ftz.f32 %d, %a", bits(3.0f), bits(8.0f)},
      {"copysign.f32 %d, %a, %b", bits(-2.0f), bits(-1.0f), bits(2.0f)},
  };
  return rows;
}

const std::vector<Case>& conversions() {
  static const std::vector<Case> rows = {
      {"cvt.u64.u32 %d, %a", 0xffffffff, kMinusOne, 0, 0, "8444"},
      {"cvt.s64.s32 %d, %a", ~0ull, kMinusOne, 0, 0, "8444"},
      {"cvt.u32.u64 %d, %a", 5, 0x700000005, 0, 0, "4888"},
      {"cvt.s32.s8 %d, %a", 0xffffff80, 0x180},
      {"cvt.u16.u8 %d, %a", 0x80, 0x180, 0, 0, "2222"},
      {"cvt.sat.u8.s32 %d, %a", 255, 300},
      {"cvt.sat.u8.s32 %d, %a", 0, kMinusOne},
      {"cvt.sat.s8.s32 %d, %a", 0xffffff80, 0xfffffe00},
      {"cvt.rn.f32.s32 %d, %a", bits(-3.0f), 0xfffffffd},
      {"cvt.rn.f32.u32 %d, %a", bits(4294967296.0f), kMinusOne},
      {"cvt.rz.f32.u32 %d, %a", 0x4f7fffff, kMinusOne},
      {"cvt.rn.f32.s64 %d, %a", 0x5a800001, (1ull << 54) + (1ull << 30) + 1, 0, 0, "4888"},
      {"cvt.rn.f64.u64 %d, %a", bits(18446744073709551616.0), ~0ull, 0, 0, "8888"},
      {"cvt.rni.s32.f32 %d, %a", 2, bits(2.5f)},
      {"cvt.rzi.s32.f32 %d, %a", 0xfffffffe, bits(-2.9f)},
      {"cvt.rmi.s32.f32 %d, %a", 0xfffffffd, bits(-2.1f)},
      {"cvt.rpi.u32.f32 %d, %a", 3, bits(2.1f)},
      {"cvt.rzi.s32.f32 %d, %a", 0x7fffffff, bits(1e20f)},
      {"cvt.rzi.u32.f32 %d, %a", 0, bits(-1.0f)},
      {"cvt.rzi.s32.f32 %d, %a", 0, kNan},
      {"cvt.rzi.u64.f64 %d, %a", 1ull << 63, bits(0x1p63), 0, 0, "8888"},
      {"cvt.rni.f32.f32 %d, %a", bits(4.0f), bits(3.5f)},
      {"cvt.rzi.f64.f64 %d, %a", bits(-3.0), bits(-3.5), 0, 0, "8888"},
      {"cvt.sat.f32.f32 %d, %a", bits(1.0f), bits(3.5f)},
      {"cvt.f64.f32 %d, %a", bits(3.5), bits(3.5f), 0, 0, "8444"},
      {"cvt.rn.f32.f64 %d, %a", bits(0.1f), bits(0.1), 0, 0, "4888"},
      {"cvt.rp.f32.f64 %d, %a", 0x3f800001, bits(1 + 1e-12), 0, 0, "4888"},
      {"cvt.rn.bf16.f32 %d, %a", 0x3f80, 0x3f808000, 0, 0, "2444"},
      {"cvt.rn.bf16.f32 %d, %a", 0x3f82, 0x3f818000, 0, 0, "2444"},
      {"cvt.rz.bf16.f32 %d, %a", 0x3f81, 0x3f81ffff, 0, 0, "2444"},
      {"cvt.rn.relu.bf16.f32 %d, %a", 0, bits(-2.0f), 0, 0, "2444"},
      {"cvt.f32.bf16 %d, %a", 0x3f810000, 0x3f81, 0, 0, "4222"},
      {"cvt.rn.f16.f32 %d, %a", 0x7c00, bits(65520.0f), 0, 0, "2444"},
      {"cvt.rz.f16.f32 %d, %a", 0x7bff, bits(65520.0f), 0, 0, "2444"},
      {"cvt.rn.f16.f32 %d, %a", 1, bits(0x1p-24f), 0, 0, "2444"},
      {"cvt.f32.f16 %d, %a", bits(-0x1p-24f), 0x8001, 0, 0, "4222"},
      {"cvt.rn.f16.s32 %d, %a", 0x4200, 3, 0, 0, "2444"},
      {"cvt.rzi.s32.f16 %d, %a", 3, 0x4300, 0, 0, "4222"},
      {"cvt.rn.bf16x2.f32 %d, %a, %b", 0x3f804000, bits(1.0f), bits(2.0f)},
      {"cvt.rn.f16x2.f32 %d, %a, %b", 0x3c004000, bits(1.0f), bits(2.0f)},
      {"cvt.rna.tf32.f32 %d, %a", 0x3f802000, 0x3f801000},
      {"mov.b32 %d, %a", 9, 9},
      {"mov.b32 %d, {%a, %b}", 0x00020001, 1, 2, 0, "4222"},
      {"mov.b64 %d, {%a, %b}", 0x0000000200000001, 1, 2, 0, "8444"},
      {"mov.b64 {%r1, %d}, %a", 2, 0x0000000200000001, 0, 0, "4888"},
      {"mov.u32 %d, %ntid.x", 1},
      {"mov.f32 %d, 0fBF800000", bits(-1.0f)},
      {"mov.b32 %d, WARP_SZ", 32},
  };
  return rows;
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto* rows : {&whole_numbers(), &bits_and_choices(), &floats(), &conversions()})
    all.insert(all.end(), rows->begin(), rows->end());
  return all;
}

void expect_results(const std::vector<Case>& rows) {
  for (const Case& row : rows)
    EXPECT_EQ(result_of(row), row.expected)
        << row.statement << std::hex << " of " << row.a << " " << row.b << " " << row.c;
}

}  // namespace

TEST(Rows, WholeNumbers) { expect_results(whole_numbers()); }
TEST(Rows, BitsAndChoices) { expect_results(bits_and_choices()); }
TEST(Rows, Floats) { expect_results(floats()); }
TEST(Rows, Conversions) { expect_results(conversions()); }

// A row without a case above has a test of its own.
TEST(Rows, EachHasATest) {
  std::set<std::string> tested = {"bra", "ret",  "bar",      "barrier", "membar", "fence",
                                  "ld",  "st",   "atom",     "shfl",    "vote",   "mma",
                                  "cp",  "cvta", "ldmatrix", "stmatrix"};
  for (const Case& row : all_cases()) tested.insert(opcode_of(row));
  for (const Rows* rows : all_rows())
    for (const Row& row : *rows) EXPECT_TRUE(tested.contains(row.name)) << row.name;
}

TEST(Rows, AreNamedOnce) {
  std::set<std::string> names;
  for (const Rows* rows : all_rows())
    for (const Row& row : *rows) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

TEST(Rows, ApproximateFunctionsAreOffByAsMuchAsAsked) {
  const Case rows[] = {{"ex2.approx.f32 %d, %a", 0, bits(0.3f)},
                       {"lg2.approx.f32 %d, %a", 0, bits(3.0f)},
                       {"rcp.approx.f32 %d, %a", 0, bits(3.0f)},
                       {"rsqrt.approx.f32 %d, %a", 0, bits(3.0f)},
                       {"div.full.f32 %d, %a, %b", 0, bits(3.0f), bits(7.0f)}};
  for (const Case& row : rows) {
    const auto exact = static_cast<i64>(result_of(row)), off = static_cast<i64>(result_of(row, 2));
    EXPECT_LE(std::abs(off - exact), 3) << row.statement;  // two units, and their rounding
    EXPECT_EQ(static_cast<i64>(result_of(row, 2)), off) << "the same bits each time";
  }
  EXPECT_NE(result_of(rows[1]), result_of(rows[1], 200));
  // Near 1, lg2 is off by units of 1 and not of its small result.
  const Case small{"lg2.approx.f32 %d, %a", 0, bits(1.0001f)};
  const double exact = std::bit_cast<float>(static_cast<u32>(result_of(small))),
               off = std::bit_cast<float>(static_cast<u32>(result_of(small, 2)));
  EXPECT_GT(std::abs(off - exact), 1e-9);
  EXPECT_LE(std::abs(off - exact), 0x1p-22);
}

void expect_refused(const char* statement, const char* reason) {
  Memory memory;
  try {
    read_program("refused", module_of(statement), memory);
    ADD_FAILURE() << statement << " was accepted";
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(reason), text.npos) << text;
    EXPECT_NE(text.find("PTX line 16"), text.npos) << text;
  }
}

TEST(Rows, WhatTheyLackFailsWithLineAndOpcode) {
  expect_refused("frobnicate.b32 %r1, %r2;", "no row has the opcode frobnicate");
  expect_refused("add.cc.u32 %r1, %r2, %r3;", "the row of add has no modifier .cc");
  expect_refused("add.f32 %f1, %r99, %f2;", "expected a register or a number, got %r99");
  expect_refused("add.u32 %rd1, %r2, %r3;", "expected a register of the type's width, got %rd1");
  expect_refused("mov.u32 %r1, %clock;", "expected a register or a number, got %clock");
  expect_refused("cvt.ftz.f32.f64 %f1, %rd1;", "has no modifier .ftz");
  expect_refused("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r1}, {%r1}, {%r1}, {%r1};",
                 "no modifier .m16n8k32");
  expect_refused("cp.async.cg.shared.global [%r1], [%rd1], 8;", "expected 16 bytes");
}

}  // namespace ptx
