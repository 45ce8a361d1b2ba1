#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/layer_of.h"

namespace runner {
namespace {

using at::Tensor;

TEST(Transformer, DropsWeightsAndHiddenChannels) {
  for (const char* block : {"transformer", "mlp"}) {
    const BlockLayer layer = layer_of(block, {});
    int calls = 0;
    const Tensor x = lcsm::random_input(1, 9, 8, 7);
    const Tensor y = layer(x, {.drop = [&calls](const Tensor& in) { return ++calls, in * 0; }});
    const char* bias = std::string_view(block) == "mlp" ? "down.bias" : "output.bias";
    EXPECT_EQ(calls, 1) << block;
    EXPECT_TRUE(y.equal(layer.weights.at(bias).expand_as(y))) << block;
  }
}

TEST(Transformer, RefusesHeadsThatDoNotFit) {
  EXPECT_THROW(layer_of("transformer", {"heads=3"}), std::invalid_argument);
  EXPECT_THROW(layer_of("transformer", {"heads=8", "positions=rope"}), std::invalid_argument);
  EXPECT_THROW(layer_of("performer", {"heads=3"}), std::invalid_argument);
}

}  // namespace
}  // namespace runner
