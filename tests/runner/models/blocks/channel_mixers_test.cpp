#include "runner/models/blocks/channel_mixers.h"

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/runner/models/blocks/plain_block.h"

namespace runner {
namespace {

at::Tensor matrix(std::vector<double> values, std::int64_t rows) {
  return at::tensor(values, at::kDouble).view({rows, -1});
}

// W_gate x = a, W_value x = b, W_output = 2 for x = (a, b).
double glu_of(const std::string& activation, double a, double b) {
  const lcsm::Weights w{{"gate.weight", matrix({1, 0}, 1)},
                        {"value.weight", matrix({0, 1}, 1)},
                        {"output.weight", matrix({2}, 1)}};
  return glu(w, activation, matrix({a, b}, 1)).item<double>();
}

}  // namespace

TEST(ChannelMixers, GluGatesAValue) {
  for (const double a : {-1.5, 0.5, 2.0}) {
    EXPECT_DOUBLE_EQ(glu_of("identity", a, 3), 6 * a);
    EXPECT_DOUBLE_EQ(glu_of("silu", a, 3), 6 * a * sigmoid(a));
    EXPECT_DOUBLE_EQ(glu_of("sigmoid", a, 3), 6 * sigmoid(a));
    EXPECT_DOUBLE_EQ(glu_of("gelu", a, 3), 6 * a * 0.5 * (1 + std::erf(a / std::sqrt(2))));
    EXPECT_DOUBLE_EQ(glu_of("relu", a, 3), 6 * std::max(a, 0.0));
  }
  EXPECT_THROW(glu_of("swish", 1, 1), std::logic_error);
}

TEST(ChannelMixers, GluSupportsBiases) {
  const lcsm::Weights w{{"gate.weight", matrix({1}, 1)},    {"gate.bias", at::tensor({2.0})},
                        {"value.weight", matrix({1}, 1)},   {"value.bias", at::tensor({3.0})},
                        {"output.weight", matrix({10}, 1)}, {"output.bias", at::tensor({1.0})}};
  lcsm::Weights wide;
  for (const auto& [name, tensor] : w) wide[name] = tensor.to(at::kDouble);
  EXPECT_EQ(glu(wide, "identity", matrix({4}, 1)).item<double>(), 10 * (6 * 7) + 1);
}

TEST(ChannelMixers, MlpIsTwoLayersAroundAGelu) {
  const lcsm::Weights w{{"up.weight", matrix({1, 2}, 2)},
                        {"up.bias", at::tensor({0.5, -1.0}, at::kDouble)},
                        {"down.weight", matrix({1, 10}, 1)},
                        {"down.bias", at::tensor({3.0}, at::kDouble)}};
  const auto gelu = [](double x) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2))); };
  EXPECT_DOUBLE_EQ(mlp(w, matrix({1}, 1)).item<double>(), gelu(1.5) + 10 * gelu(1) + 3);
}

}  // namespace runner
