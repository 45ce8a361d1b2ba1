#include "lcsm/code/plan.h"

#include <gtest/gtest.h>

namespace lcsm {
namespace {

std::string plan_of_code(const std::string& code) {
  const Catalogue catalogue;
  return short_summary(plan_of(make_variant(parse_code(code, catalogue), catalogue)));
}

std::string plan_of_text(const OscillationText& text, const std::string& code = "1-custom-1-0") {
  Catalogue catalogue;
  OscillationText named = text;
  named.name = "custom";
  catalogue.add(make_oscillation(named));
  return short_summary(plan_of(make_variant(parse_code(code, catalogue), catalogue)));
}

std::string plan_of_gate(const std::string& o, const std::string& scale = "") {
  return plan_of_text({.o = o, .scale = scale});
}

}  // namespace

TEST(Plan, FollowsTheTableOfThePaper) {
  for (const auto& [code, plan] :
       std::vector<std::pair<std::string, std::string>>{{"1-0-1-0", "scan"},
                                                        {"1-1-1-0", "chunk k, d"},
                                                        {"1-2-1-0", "chunk d"},
                                                        {"1-3-1-0", "chunk k"},
                                                        {"1-4-1-0", "chunk k"},
                                                        {"1-5-1-0", "chunk d"},
                                                        {"1-4-1-0@o=fixed", "chunk k"},
                                                        {"1-6-1-0", "scan"},
                                                        {"1-7-1-0", "scan"},
                                                        {"1-8-1-0", "scan"},
                                                        {"1-9-1-0", "scan"},
                                                        {"1-10-1-0", "chunk"},
                                                        {"1-11-1-0", "chunk, rotated"},
                                                        {"1-12-1-0", "chunk softmax"},
                                                        {"ssm", "scan"},
                                                        {"fwp", "delta"},
                                                        {"m1", "delta"},
                                                        {"m2", "delta"}})
    EXPECT_EQ(plan_of_code(code), plan) << code;
}

TEST(Plan, SaysOfARotatingGateOnlyThatItsSizeIsOne) {
  const Catalogue catalogue;
  const auto why = [&](const char* code) {
    return plan_of(make_variant(parse_code(code, catalogue), catalogue)).why;
  };
  EXPECT_EQ(why("1-10-1-0"), "o is 1 everywhere");
  EXPECT_EQ(why("1-11-1-0"), "|o| is 1 everywhere");
}

TEST(Plan, ScansStaticStagesAndConvolvesWhenAllIsStatic) {
  for (const std::string o : {"0", "4", "5", "10"}) {
    EXPECT_EQ(plan_of_code("0-" + o + "-0-0"), "modes");
    EXPECT_EQ(plan_of_code("1-" + o + "-0-0"), "scan");
    EXPECT_EQ(plan_of_code("0-" + o + "-1-0"), "scan");
  }
  EXPECT_EQ(plan_of_code("0-1-0-0"), "scan");
}

// Gates from outside the paper, one line each, as their authors compute them.
TEST(Plan, GivesDataGatesOfOneAxisToTheChunkedMachine) {
  EXPECT_EQ(plan_of_text({.o = "sigmoid(p_k)^(1/16)", .ranks = {{"p_k", "16"}}}),
            "chunk k");                                                                    // GLA
  EXPECT_EQ(plan_of_gate("sigmoid(w_d) + (1 - sigmoid(w_d)) * sigmoid(p_d)"), "chunk d");  // HGRN
  EXPECT_EQ(plan_of_gate("sigmoid(w_k) + (1 - sigmoid(w_k)) * sigmoid(p_k)", "1 - o"),
            "chunk k");  // HGRN2
  EXPECT_EQ(plan_of_gate("exp(-8 * softplus(w_d) * sigmoid(p_d))", "sqrt(1 - o^2)"),
            "chunk d");                                                  // Griffin
  EXPECT_EQ(plan_of_gate("1 - sigmoid(p_d)", "1 - o"), "chunk d");       // minGRU
  EXPECT_EQ(plan_of_gate("exp(-exp(p_k))"), "chunk k");                  // RWKV-6
  EXPECT_EQ(plan_of_gate("sigmoid(p_k) * sigmoid(p_d)"), "chunk k, d");  // DUR, GFW
  EXPECT_EQ(plan_of_gate("cumsoftmax(p_k)", "1 - o"), "chunk softmax");  // GSA, ABC
}

TEST(Plan, GivesOneGateAStepToTheChunkedMachine) {
  EXPECT_EQ(plan_of_gate("exp(-softplus(p) * exp(w))", "softplus(p)"), "chunk time");  // Mamba-2
  EXPECT_EQ(plan_of_gate("sigmoid(p)", "exp(min(p2, 10))"), "chunk time");             // mLSTM
  EXPECT_EQ(plan_of_gate("sigmoid(p)", "1 - o"), "chunk time");                        // gated RFA
}

TEST(Plan, KnowsStaticDecayAndRotation) {
  EXPECT_EQ(plan_of_gate("exp(-exp(w_d))"), "chunk d");                            // RWKV-4
  EXPECT_EQ(plan_of_gate("(1 - 2^-5) * rotate(theta_k)"), "chunk time, rotated");  // RetNet
  EXPECT_EQ(plan_of_gate("exp(-0.5)"), "chunk time");                              // TNL, Lightning
  EXPECT_EQ(plan_of_gate("rotate(w_k)"), "chunk, rotated");                        // LRPE
  EXPECT_EQ(plan_of_gate("exp(-exp(w_k)) * rotate(exp(w_k2))"), "chunk k, rotated");  // LRU
  EXPECT_EQ(plan_of_gate("sigmoid(p_k) * rotate(p_k2)"), "chunk k, rotated");         // GateLoop
}

TEST(Plan, FindsARotationInAQuotientAndBesideSlopes) {
  EXPECT_EQ(plan_of_gate("rotate(w_k) * sigmoid(p_k) / 2"), "chunk time, k, rotated");
  EXPECT_EQ(plan_of_gate("(1 - slope_k) * rotate(theta_k)"), "chunk k, rotated");
}

TEST(Plan, ScansWhatDoesNotSeparate) {
  EXPECT_EQ(plan_of_gate("exp(-softplus(p_d) * exp(w_kd))", "softplus(p_d)"), "scan");  // Mamba
  EXPECT_EQ(plan_of_gate("1 - sigmoid(w_kd) * sigmoid(w_kd2)"), "scan");                // MEGA
  EXPECT_EQ(plan_of_gate("sigmoid(p_k + p_d)^(1/tau)"), "scan");
  EXPECT_EQ(plan_of_gate("tanh(p_k)"), "scan");
  EXPECT_EQ(plan_of_gate("sigmoid(p_k)", "sigmoid(p_k2 * p_d)"), "scan");
}

TEST(Plan, ScansComplexMemories) {
  for (const std::string o : {"ces", "s4d", "lru"})
    for (const std::string& code : {"1-" + o + "-1-0", "0-" + o + "-1-0", "1-" + o + "-0-0"})
      EXPECT_EQ(plan_of_code(code), "complex scan") << code;
  EXPECT_EQ(plan_of_code("0-11-1-0"), "complex scan");
  EXPECT_EQ(plan_of_code("1-11-0-0"), "complex scan");
  for (const std::string angle : {"w_kd", "p_d", "p_k * w_d", "w_d"})
    EXPECT_EQ(plan_of_gate("sigmoid(p_k) * rotate(" + angle + ")"), "complex scan") << angle;
  EXPECT_EQ(plan_of_gate("sigmoid(p_k) * rotate(w_k)", "1 - q"), "complex scan");
  EXPECT_EQ(plan_of_gate("sigmoid(p_k) * rotate(w_k)", "1 - abs(q)"), "chunk k, rotated");
  EXPECT_EQ(plan_of_text({.o = "sigmoid(p_k) * rotate(w_k)", .read = "w_d"}), "complex scan");
}

TEST(Plan, ScansRealMemoriesThatAreReadByWeights) {
  EXPECT_EQ(plan_of_code("1-ema-1-0"), "scan, weighted");
  EXPECT_EQ(plan_of_text({.o = "sigmoid(p_d)", .read = "p_k"}), "scan, weighted");
  EXPECT_EQ(plan_of_code("0-ema-0-0"), "modes");
}

TEST(Plan, ScansWhatMayGrow) {
  EXPECT_EQ(plan_of_text({.o = "exp(w_d)", .growth = true}), "scan");
  EXPECT_EQ(plan_of_text({.o = "sigmoid(w_d)", .growth = true}), "chunk d");
}

TEST(Plan, ConvolvesAStaticStateSpace) {
  EXPECT_EQ(plan_of_text({.o = "exp(-exp(w_kd))"}, "0-custom-0-0"), "modes");  // S4D-real
}

TEST(Plan, SplitsASumOfAxesUnderTheExponential) {
  EXPECT_EQ(plan_of_gate("exp(-(softplus(p_k) + softplus(p_d)) / tau)"), "chunk k, d");
  EXPECT_EQ(plan_of_gate("(sigmoid(p_k) * sigmoid(p_d) * sigmoid(p))^0.5"), "chunk time, k, d");
}

TEST(Plan, CountsStateAndBytesFromTheFormula) {
  const Catalogue catalogue;
  const auto cost = [&](const std::string& code) {
    return cost_of(make_variant(parse_code(code, catalogue), catalogue));
  };
  EXPECT_EQ(cost("1-9-1-0").state, 65536);
  EXPECT_EQ(cost("1-11-1-0").state, 131072);
  EXPECT_EQ(cost("1-10-1-0").recurrence_bytes, 4 * (2 * 512 + 2 * 128));
  EXPECT_EQ(cost("1-1-1-0").recurrence_bytes, 4 * (3 * 512 + 3 * 128));
  EXPECT_EQ(cost("0-0-0-0").projection_flops, 2 * 2 * 512 * 512);
  EXPECT_LT(cost("1-10-1-0").recurrence_flops, cost("1-3-1-0").recurrence_flops);
  EXPECT_EQ(cost("1-ces-1-0").state, 2 * 65536);
  EXPECT_EQ(cost("1-ces-1-0").recurrence_flops, 17 * 65536) << "all that it computes is static";
  EXPECT_EQ(cost("1-ema-1-0").recurrence_flops, 7 * 65536);
}

}  // namespace lcsm
