#include "lcsm/code/decay.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lcsm {
namespace {

const Catalogue kDecayBuiltIn;

InitialDecay decay(const std::string& code) {
  return initial_decay(make_variant(parse_code(code, kDecayBuiltIn), kDecayBuiltIn));
}

double slope(const std::string& name, int i, const Sizes& sizes) {
  const Symbol s = parse_symbol(name);
  return fixed_value(s, sizes, over_k(s.axes) ? i : 0, over_k(s.axes) ? 0 : i);
}

}  // namespace

TEST(Decay, HalvesInTauTokensWhereEverythingIsAtItsMean) {
  for (const std::string o : {"0", "2", "3", "4", "5", "6", "7", "8", "9"})
    for (const double tau : {8.0, 16.0, 64.0}) {
      const std::string code = "1-" + o + "-1-0@tau=" + number_text(tau);
      EXPECT_NEAR(half_life(std::log(decay(code).centre)), tau, 1e-9 * tau) << code;
    }
  EXPECT_NEAR(half_life(std::log(decay("1-1-1-0").centre)), 8, 1e-9);
}

TEST(Decay, NeverForgetsWithoutAGate) {
  for (const std::string code : {"1-10-1-0", "1-11-1-0"}) {
    EXPECT_EQ(decay(code).centre, 1) << code;
    EXPECT_EQ(decay(code).low, kInfinity) << code;
  }
}

TEST(Decay, NamesOtherKindsOfDecay) {
  EXPECT_EQ(decay("1-12-1-0").kind, InitialDecay::Kind::kHarmonic);
  EXPECT_EQ(decay("fwp").kind, InitialDecay::Kind::kMatrix);
}

TEST(Decay, OrdersItsPercentiles) {
  for (const Code& code : all_codes(kDecayBuiltIn)) {
    if (code.a != 0 || code.e + code.s != 2) continue;
    const InitialDecay d = initial_decay(make_variant(code, kDecayBuiltIn));
    EXPECT_LE(d.low, d.median) << to_string(code, kDecayBuiltIn);
    EXPECT_LE(d.median, d.high) << to_string(code, kDecayBuiltIn);
  }
}

TEST(Decay, KeepsHalfAfterAHalfLife) {
  EXPECT_EQ(kept(8, 8), 0.5);
  EXPECT_EQ(kept(8, 24), 0.125);
  EXPECT_EQ(kept(kInfinity, 1e9), 1);
  EXPECT_EQ(kept(0, 1), 0);
  EXPECT_EQ(half_life(-std::log(2.0)), 1);
  EXPECT_EQ(half_life(0), kInfinity);
}

TEST(FixedValue, GivesTheSlopesOfAlibi) {
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(slope("slope_k", i, {.d = 4, .k = 8}), std::exp2(-(i + 1))) << i;
  EXPECT_EQ(slope("slope_d", 511, {}), std::exp2(-8));
  // 6 entries: the 4 of a power of two, then every second one of 8
  const double six[] = {-2, -4, -6, -8, -1, -3};
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(slope("slope_d", i, {.d = 6, .k = 1}), std::exp2(six[i])) << i;
}

TEST(FixedValue, WalksSlopesRowByRow) {
  const Symbol s = parse_symbol("slope_kd");
  EXPECT_EQ(fixed_value(s, {}, 127, 511), std::exp2(-8));
  EXPECT_EQ(fixed_value(s, {}, 1, 0), std::exp2(-8.0 * 513 / 65536));
  // the paper's range of o = exp(-slope): 0.368 to 0.9961
  EXPECT_NEAR(std::exp(-fixed_value(s, {}, 0, 0)), 0.368, 5e-4);
  EXPECT_NEAR(std::exp(-fixed_value(s, {}, 127, 511)), 0.9961, 5e-5);
}

TEST(FixedValue, TurnsByAnglesOfTheModelWidth) {
  const Symbol theta = parse_symbol("theta_k");
  EXPECT_EQ(fixed_value(theta, {}, 0, 0), 1);
  EXPECT_DOUBLE_EQ(fixed_value(theta, {}, 64, 0), std::pow(10000.0, -0.25));
}

}  // namespace lcsm
