// Checks the output stage of each family against its formula, and where layers drop.
#include "ets/layer/output.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/glu.h>
#include <ATen/ops/tanh.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lcsm/layer/layer.h"
#include "tests/ets/layer/family_cases.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace ets {
namespace {

using at::Tensor;

Tensor output(const lcsm::Block& v, const lcsm::Weights& w, const Tensor& x,
              const lcsm::BlockContext& context = {}) {
  return layer_forward(v, w, x, context).output;
}

// The layer with these weights up to the shortcut, without its output stage.
Tensor before_output(const FamilyCase& c, const lcsm::Weights& weights, const Tensor& x) {
  FamilyCase bare = c;
  bare.settings.emplace_back("output=none");
  const lcsm::Block v = bare.variant();
  lcsm::Weights kept;
  for (const lcsm::Parameter& tensor : tensors_of(v)) kept[tensor.name] = weights.at(tensor.name);
  return output(v, kept, x);
}

FamilyCase s5(const std::string& output) { return {"s5", {"modes=3", "output=" + output}}; }

double gelu_of_tanh(double y) {
  const double inner = std::sqrt(2 / std::numbers::pi) * (y + 0.044715 * y * y * y);
  return y / 2 * (1 + std::tanh(inner));
}

// Output `d` of a linear layer for one step.
double projected(const lcsm::Weights& w, const std::string& name, const std::vector<double>& h,
                 std::int64_t d) {
  double sum = w.at(name + ".bias")[d].item<double>();
  for (std::size_t c = 0; c < h.size(); ++c)
    sum += w.at(name + ".weight")[d][static_cast<std::int64_t>(c)].item<double>() * h[c];
  return sum;
}

double expected_of(const std::string& kind, const lcsm::Weights& w, const std::vector<double>& y,
                   const std::vector<double>& g, std::int64_t d) {
  const auto n = static_cast<std::size_t>(d);
  if (kind == "gelu") return g[n];
  const double gate = 1 / (1 + std::exp(-projected(w, "gate", g, d)));
  if (kind == "half_glu1") return g[n] * gate;
  if (kind == "half_glu2") return y[n] * gate;
  return projected(w, "output", g, d) * gate;
}

std::vector<std::vector<std::int64_t>> dropped_shapes(const FamilyCase& c) {
  const lcsm::Block v = c.variant();
  std::vector<std::vector<std::int64_t>> shapes;
  output(v, weights_of(v), lcsm::random_input(2, 5, v.d, 3), {.drop = [&](const Tensor& y) {
           shapes.push_back(y.sizes().vec());
           return y;
         }});
  return shapes;
}

}  // namespace

TEST(Output, OfS5IsItsFormula) {
  for (const std::string kind : {"gelu", "half_glu1", "half_glu2", "full_glu"}) {
    SCOPED_TRACE(kind);
    const lcsm::Block v = s5(kind).variant();
    lcsm::Weights w = weights_of(v);
    if (kind != "gelu") w["gate.bias"] = lcsm::random_input(1, 1, v.d, 4)[0][0];
    const Tensor x = lcsm::random_input(1, 9, v.d, 3), got = output(v, w, x)[0],
                 plain = before_output(s5(kind), w, x)[0];
    for (std::int64_t t = 0; t < 9; ++t) {
      std::vector<double> y, g;
      for (std::int64_t d = 0; d < v.d; ++d) {
        y.push_back(plain[t][d].item<double>());
        g.push_back(gelu_of_tanh(y.back()));
      }
      for (std::int64_t d = 0; d < v.d; ++d)
        EXPECT_NEAR(got[t][d].item<double>(), expected_of(kind, w, y, g, d), 1e-13);
    }
  }
}

// Half of GELU's value is enough to tell where the dropout stands.
TEST(Output, DropsWhatEntersItsProjections) {
  const auto half = [](const Tensor& y) { return 0.5 * y; };
  const Tensor x = lcsm::random_input(1, 9, 4, 3);
  const auto halved = [&](const FamilyCase& c) {
    const lcsm::Block v = c.variant();
    lcsm::Weights w = weights_of(v);
    const Tensor got = output(v, w, x, {.drop = half});
    for (const char* name : {"output.weight", "gate.weight"})
      if (w.contains(name)) w[name] = 0.5 * w[name];
    return std::pair(got, output(v, w, x));
  };
  for (const char* family : {"s4", "s4d", "dss"})
    for (const char* kind : {"output=linear", "output=glu"}) {
      SCOPED_TRACE(std::string(family) + " " + kind);
      const auto [got, expected] = halved({family, {"modes=2", kind}});
      EXPECT_LE(relative_error(got, expected), 1e-14);
    }
  for (const auto& [kind, factor] :
       {std::pair{"half_glu1", 0.5}, {"half_glu2", 1.0}, {"full_glu", 1.0}}) {
    SCOPED_TRACE(kind);
    const auto [got, expected] = halved(s5(kind));
    EXPECT_LE(relative_error(got, factor * expected), 1e-14);
  }
}

// Once per place, [B, T, D]; a rate of 0 changes nothing. Other layers have dropout only where the
// model adds their output.
TEST(Output, DropsOnlyWhereTheAuthorsDo) {
  const std::vector<std::vector<std::int64_t>> once = {{2, 5, 4}};
  for (const char* family : {"s4", "s4d", "dss"}) {
    EXPECT_EQ(dropped_shapes({family, {"output=glu", "replay=depthwise"}}), once);
    EXPECT_EQ(dropped_shapes({family, {"output=linear"}}), once);
    EXPECT_TRUE(dropped_shapes({family, {"output=none"}}).empty());
  }
  for (const char* kind : {"half_glu1", "half_glu2", "full_glu"})
    EXPECT_EQ(dropped_shapes(s5(kind)), once);
  for (const char* kind : {"gelu", "none"}) EXPECT_TRUE(dropped_shapes(s5(kind)).empty());
  for (const char* family : {"ces", "ema", "h3", "tnn", "etsmlp"})
    EXPECT_TRUE(dropped_shapes({family, {}}).empty()) << family;
}

TEST(Output, StartsWithSmallGatesWithoutBias) {
  const lcsm::Weights w = initial_weights(s5("full_glu").variant(64), 1, at::kDouble);
  for (const std::string name : {"output", "gate"}) {
    // The variance of 4096 draws is off by less than 10 %: four standard deviations.
    EXPECT_NEAR(w.at(name + ".weight").square().mean().item<double>() * 64, 1, 0.1);
    EXPECT_LE(w.at(name + ".weight").abs().max().item<double>() * 8, 2 / 0.8796);
    EXPECT_EQ(w.at(name + ".bias").abs().max().item<double>(), 0);
  }
  EXPECT_FALSE(w.at("output.weight").equal(w.at("gate.weight")));
}

}  // namespace ets
