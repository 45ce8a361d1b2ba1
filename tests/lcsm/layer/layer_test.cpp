#include "lcsm/layer/layer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/lcsm/layer/layer_cases.h"
#include "tests/message_of.h"

namespace lcsm {
namespace {

std::string refusal(const Variant& v, const Weights& w, const at::Tensor& x) {
  return message_of<std::invalid_argument>([&] { check_weights(v, w, x); });
}

}  // namespace

TEST(Layer, HasATensorForEachNameOfTheFormat) {
  const Variant v = small_variant("ssm");
  const Weights w = initial_weights(v, 1, at::kDouble);
  ASSERT_EQ(w.size(), tensors_of(v).size());
  for (const Parameter& p : tensors_of(v))
    EXPECT_EQ(w.at(p.name).sizes(), at::IntArrayRef(p.shape)) << p.name;
}

TEST(Layer, StartsByTheInitFormulas) {
  const Variant v = small_variant("ssm");
  const Weights w = initial_weights(v, 1, at::kDouble);
  for (int k = 0; k < 3; ++k)
    for (int d = 0; d < 5; ++d)
      EXPECT_EQ(w.at("oscillation.w_kd").select(0, k).select(0, d).item<double>(), std::log(1 + k));
  EXPECT_LT(w.at("input.weight").abs().max().item<double>(), 1 / std::sqrt(5.0));
  EXPECT_TRUE(at::equal(w.at("norm.weight"), at::zeros({5}, at::kDouble) + 1));
}

TEST(Layer, DrawsEachCellByItsFormula) {
  Parameter p;
  p.shape = {3, 5};
  p.axes = Axes::kKD;
  p.init = parse_formula("100 * index_k + 10 * index_d + uniform + size_d", FormulaUse::kInit);
  const at::Tensor drawn = first_values(p, {.d = 5, .k = 3}, 7);
  std::set<double> rests;
  for (int k = 0; k < 3; ++k)
    for (int d = 0; d < 5; ++d) rests.insert(drawn[k][d].item<double>() - 100 * k - 10 * d - 5);
  EXPECT_EQ(rests.size(), 15U);
  EXPECT_GE(*rests.begin(), -1);
  EXPECT_LT(*rests.rbegin(), 1);
}

TEST(Layer, DrawsTheSameForTheSameSeedAndName) {
  const Weights a = initial_weights(small_variant("1-9-1-0"), 7, at::kDouble);
  const Weights b = initial_weights(small_variant("1-6-1-4"), 7, at::kDouble);
  const Weights c = initial_weights(small_variant("1-9-1-0"), 8, at::kDouble);
  EXPECT_TRUE(at::equal(a.at("oscillation.p_k.weight"), b.at("oscillation.p_k.weight")));
  EXPECT_FALSE(at::equal(a.at("input.weight"), c.at("input.weight")));
}

TEST(Layer, FreezesTheGateAlone) {
  for (const auto& [name, tensor] :
       initial_weights(small_variant("1-9-1-0@gate=frozen"), 1, at::kDouble))
    EXPECT_EQ(tensor.requires_grad(), !name.starts_with("oscillation.")) << name;
}

TEST(Layer, RefusesWrongWeightsByName) {
  const Variant v = small_variant("1-9-1-0");
  const at::Tensor x = random_input(1, 2, 5, 1);
  Weights w = initial_weights(v, 1, at::kDouble);
  EXPECT_EQ(refusal(v, w, x), "");
  w["input.bias"] = at::zeros({5}, at::kDouble);
  EXPECT_EQ(refusal(v, w, x), "");
  w["inptu.weight"] = x;
  EXPECT_NE(refusal(v, w, x).find("did you mean 'input.weight'?"), std::string::npos);
  w.erase("inptu.weight");
  w["norm.bias"] = at::zeros({4}, at::kDouble);
  EXPECT_NE(refusal(v, w, x).find("expected shape [5], got [4]"), std::string::npos);
  w["norm.bias"] = at::zeros({5}, at::kFloat);
  EXPECT_NE(refusal(v, w, x).find("dtype"), std::string::npos);
  w.erase("norm.bias");
  EXPECT_NE(refusal(v, w, x).find("'norm.bias': expected it, got none"), std::string::npos);
}

TEST(Layer, AddsABiasWhereOneIsGiven) {
  const Variant v = small_variant("1-10-1-0");
  const at::Tensor x = random_input(1, 3, 5, 1);
  Weights w = initial_weights(v, 1, at::kDouble);
  const at::Tensor without = Layer(v)(w, x).output;
  w["output.bias"] = at::zeros({5}, at::kDouble) + 2;
  EXPECT_TRUE(at::allclose(Layer(v)(w, x).output, without + 2));
}

TEST(Layer, DecaysAlikeForAnyInputWhereTheGateIsStatic) {
  const Variant v = small_variant("1-5-1-0");
  const Weights w = initial_weights(v, 1, at::kDouble);
  // Linear in the memory: an earlier state fades by factors that do not depend on its values.
  State ones{at::zeros({1, 3, 5}, at::kDouble) + 1, {}},
      none{at::zeros({1, 3, 5}, at::kDouble), {}};
  const auto faded = [&](std::uint64_t seed) {
    const at::Tensor x = random_input(1, 4, 5, seed);
    return Layer(v)(w, x, ones).state.m - Layer(v)(w, x, none).state.m;
  };
  EXPECT_TRUE(at::allclose(faded(1), faded(2), 1e-12, 1e-12));
}

// The mean of n draws is off by about spread / sqrt(n), and the spread by about as much; never by
// six times that.
void expect_spread(const at::Tensor& values, double spread) {
  const double off = 6 * spread / std::sqrt(static_cast<double>(values.numel()));
  EXPECT_NEAR(values.mean().item<double>(), 0, off);
  EXPECT_NEAR(values.square().mean().sqrt().item<double>(), spread, off);
}

TEST(Layer, DrawsFirstValuesOfTheRightSpread) {
  const Catalogue catalogue;
  const Variant v = make_variant(parse_code("0-6-1-0", catalogue), catalogue, {.d = 96, .k = 64});
  const Weights w = initial_weights(v, 3, at::kDouble);
  expect_spread(w.at("input.weight"), 1 / std::sqrt(3 * 96.0));
  expect_spread(w.at("oscillation.p_k.weight"), 1 / std::sqrt(3 * 96.0));
  expect_spread(w.at("expand.matrix"), 0.1);
  expect_spread(w.at("oscillation.w_kd"), 0.1);
}

}  // namespace lcsm
