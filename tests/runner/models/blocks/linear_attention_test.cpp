#include "runner/models/blocks/linear_attention.h"

#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/layer_of.h"

namespace runner {
namespace {

using at::Tensor;
using ets::relative_error;

// The error of an average of m features falls as 1 / sqrt(m): with 64 times as many it is expected
// to be an eighth; a quarter leaves room for chance. Inputs are small: the variance grows like
// exp(|q + k|^2).
TEST(Performer, ApproachesAttentionWithMoreFeatures) {
  for (const char* sides : {"bidirectional=false", "bidirectional=true"}) {
    const BlockLayer exact = layer_of("transformer", {"heads=2", sides});
    const Tensor x = 0.3 * lcsm::random_input(2, 40, 8, 5), expected = exact(x);
    const auto error = [&](const std::string& count) {
      double sum = 0;
      for (int draw = 0; draw < 4; ++draw) {
        BlockLayer layer = layer_of(
            "performer", {"heads=2", sides, "features=" + count, "draw=" + std::to_string(draw)});
        layer.weights = exact.weights;
        sum += relative_error(layer(x), expected) / 4;
      }
      return sum;
    };
    const double few = error("64"), many = error("4096");
    EXPECT_LE(many, few / 4) << sides;
    EXPECT_LE(many, 0.01) << sides;
    EXPECT_GE(few, 1e-4) << sides;
  }
}

TEST(LinearTransformer, ForgetsNothing) {
  const BlockLayer layer = layer_of("linear-transformer", {"heads=2"});
  const Tensor x = lcsm::random_input(1, 30, 8, 6), y = layer(x);
  Tensor order = x.clone();  // earlier inputs in another order: the last output stays
  order.narrow(1, 0, 29).copy_(x.narrow(1, 0, 29).flip(1));
  EXPECT_LE(relative_error(layer(order).narrow(1, 29, 1), y.narrow(1, 29, 1)), 1e-12);
}

}  // namespace
}  // namespace runner
