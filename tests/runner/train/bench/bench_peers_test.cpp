// The baseline of `bench eos` matches the definition, gradients included.
#include "runner/train/bench/bench_peers.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "lcsm/layer/layer.h"
#include "runner/train/bench/bench_eos_case.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace runner {
namespace {

using at::Tensor;

// On a busy host, threads that wait for each other over a handful of numbers stall.
class BenchPeers : public testing::Test {
 protected:
  static void SetUpTestSuite() { at::set_num_threads(1); }
};

// float64: hundreds of terms summed in a different order.
constexpr double kTolerance = 1e-10;

void expect_near_bench_peers(const Tensor& got, const Tensor& want, const std::string& what) {
  const double off = (got - want).norm().item<double>(), size = want.norm().item<double>();
  EXPECT_LE(off, kTolerance * (size + 1e-3)) << what;
}

void expect_like_definition(const lcsm::Variant& v, std::int64_t T) {
  SCOPED_TRACE("T = " + std::to_string(T));
  const BenchCase c = make_case(v, {3, T, v.sizes}, at::kDouble);
  ASSERT_EQ(loop_refusal(v, c.inputs), "");
  const Tensor want = lcsm::recurrence_reference(v, c.inputs).y, got = loop_over_time(v, c.inputs);
  expect_near_bench_peers(got, want, "y");
  const auto d_want = gradients_of(c, want), d_got = gradients_of(c, got);
  for (std::size_t n = 0; n < d_want.size(); ++n)
    expect_near_bench_peers(d_got[n], d_want[n], c.names[n]);
  const at::NoGradGuard none;  // then the loop works in place
  expect_near_bench_peers(loop_over_time(v, c.inputs), want, "y without autograd");
}

TEST_F(BenchPeers, MatchTheDefinitionForEveryRow) {
  for (const std::string& code : lcsm::row_codes()) {
    SCOPED_TRACE(code);
    const lcsm::Variant v = lcsm::small_variant(code);
    for (const std::int64_t T : {1, 2, 64, 131}) expect_like_definition(v, T);
  }
}

struct CustomGate {
  const char *name, *o, *scale;
  bool projected = false;  // e and s must come from the input
};
// Forms that no built-in row has: a scale that uses the gate, rotations combined with gates, parts
// over time only.
constexpr CustomGate kCustom[] = {
    {"griffin", "exp(-8 * softplus(w_d) * sigmoid(p_d))", "sqrt(1 - o^2)"},
    {"turning", "sigmoid(p_k)^(1/tau) * rotate(w_k)", "", true},
    {"turned_cells", "sigmoid(p_k * w_d)^(1/tau) * rotate(p_k)", "sqrt(1 - o^2)", true},
    {"in_time", "sigmoid(p)^(1/tau)", "1 - o"},
    {"all_parts", "(sigmoid(p) * sigmoid(p_k) * sigmoid(w_d))^(1/tau)", ""},
    {"all_static", "(sigmoid(w) * sigmoid(w_k) * sigmoid(w_d))^(1/tau)", "0.5"},
    {"half", "0.5", ""},
    {"mixed", "sigmoid(w_kd) + (1 - sigmoid(w_kd)) * sigmoid(p_d)", "1 - o"},
    {"shares", "cumsoftmax(p_k) * sigmoid(w_k)", "1 - o"},
    {"turned_channels", "sigmoid(p_d)^(1/tau) * rotate(p_d2)", ""},
    {"turned_into", "sigmoid(p_k)^(1/tau) * rotate(w_d * p_k2)", "1 - q"},
    {"turned_distance", "sigmoid(p_k)^(1/tau) * rotate(w_k)", "abs(q - 1)", true},
    {"turned_distances", "sigmoid(p_d)^(1/tau) * rotate(p_k)", "abs(q - 1)", true},
    {"from_key", "1 - sigmoid(e_k) * sigmoid(p_d)", "sigmoid(p_d)", true},
};

void expect_custom_like_definition(const std::string& code, const lcsm::Catalogue& catalogue) {
  SCOPED_TRACE(code);
  const lcsm::Variant v = lcsm::make_variant(lcsm::parse_code(code, catalogue), catalogue, {5, 3});
  expect_like_definition(v, 67);
}

TEST_F(BenchPeers, MatchTheDefinitionForCustomFormulas) {
  lcsm::Catalogue catalogue;
  for (const CustomGate& gate : kCustom) {
    catalogue.add(lcsm::make_oscillation({.name = gate.name, .o = gate.o, .scale = gate.scale}));
    expect_custom_like_definition("1-" + std::string(gate.name) + "-1-0", catalogue);
    if (!gate.projected)
      expect_custom_like_definition("0-" + std::string(gate.name) + "-0-0", catalogue);
  }
}

TEST_F(BenchPeers, RefuseWhatDoesNotFitInMemory) {
  const at::Tensor x = at::ones({1}, at::kFloat);
  EXPECT_EQ(too_much(1000, x), "");
  EXPECT_NE(too_much(1e18, x).find("GiB of memory are free"), std::string::npos);
}

TEST_F(BenchPeers, ComputeBfloat16InFloat32) {
  const lcsm::Variant v = lcsm::small_variant("1-1-1-0");
  const BenchCase c = make_case(v, {2, 9, v.sizes}, at::kBFloat16);
  const Tensor y = loop_over_time(v, c.inputs);
  EXPECT_EQ(y.scalar_type(), at::kBFloat16);
  EXPECT_LE((y - lcsm::Recurrence(v)(c.inputs).y).abs().max().item<double>(), 0.05);
}

}  // namespace
}  // namespace runner
