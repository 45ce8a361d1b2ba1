#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/layer_of.h"

namespace runner {
namespace {

using at::Tensor;
using ets::relative_error;

TEST(Bigbird, WithAWindowOverAllIsAttention) {
  for (const char* sides : {"bidirectional=false", "bidirectional=true"}) {
    const BlockLayer exact = layer_of("transformer", {"heads=2", sides});
    const Tensor x = lcsm::random_input(2, 30, 8, 1);
    for (const char* global : {"global=0", "global=2"}) {
      BlockLayer layer = layer_of("bigbird", {"heads=2", "block=4", "window=15", global, sides});
      layer.weights = exact.weights;
      EXPECT_LE(relative_error(layer(x), exact(x)), 1e-13) << sides << " " << global;
    }
  }
}

// The number of positions that an output depends on, found by changing each.
int seen_by(const BlockLayer& layer, std::int64_t T, std::int64_t t) {
  const Tensor x = lcsm::random_input(1, T, 8, 2), y = layer(x);
  int count = 0;
  for (std::int64_t u = 0; u < T; ++u) {
    Tensor other = x.clone();
    other.select(1, u).neg_();
    count += !layer(other).select(1, t).equal(y.select(1, t));
  }
  return count;
}

TEST(Bigbird, ABlockSeesItsShareOfBlocks) {
  const BlockLayer layer =
      layer_of("bigbird", {"block=3", "window=3", "global=1", "random=2", "bidirectional=true"});
  EXPECT_EQ(seen_by(layer, 48, 25), 3 * (3 + 1 + 2));
  EXPECT_EQ(seen_by(layer, 48, 1), 48);
  const BlockLayer causal = layer_of("bigbird", {"block=3", "window=3", "global=1", "random=2"});
  EXPECT_EQ(seen_by(causal, 48, 26), 3 * (2 + 1 + 2));
  EXPECT_EQ(seen_by(causal, 48, 24), 3 * (1 + 1 + 2) + 1);
}

TEST(Bigbird, AnotherDrawSeesOtherBlocks) {
  const Tensor x = lcsm::random_input(1, 64, 8, 3);
  const auto drawn = [&](const char* draw) {
    return layer_of("bigbird", {"block=2", "random=1", draw})(x);
  };
  EXPECT_TRUE(drawn("draw=1").equal(drawn("draw=1")));
  EXPECT_GT(relative_error(drawn("draw=1"), drawn("draw=2")), 1e-6);
}

TEST(Bigbird, RefusesAnEvenWindow) {
  EXPECT_THROW(layer_of("bigbird", {"window=2"}), std::invalid_argument);
}

}  // namespace
}  // namespace runner
