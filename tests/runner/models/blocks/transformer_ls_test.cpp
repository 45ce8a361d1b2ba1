#include <ATen/TensorOperators.h>
#include <ATen/ops/layer_norm.h>
#include <gtest/gtest.h>

#include "runner/models/blocks/attention.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/layer_of.h"

namespace runner {
namespace {

using at::Tensor;
using ets::relative_error;

// A segment longer than the sequence is never projected.
TEST(TransformerLs, WithAWindowOverAllIsAttentionToNormedKeysAndValues) {
  const BlockLayer layer = layer_of("transformer-ls", {"heads=2", "window=20", "segment=21"});
  const Tensor x = lcsm::random_input(2, 20, 8, 1);
  Qkv qkv = qkv_of(layer.weights, x, 2);
  for (Tensor* of : {&qkv.k, &qkv.v}) *of = heads_of(at::layer_norm(joined_heads(*of), {8}), 2);
  const Tensor y = attend(qkv, {{}, true}, {});
  EXPECT_LE(relative_error(layer(x), lcsm::project(layer.weights, "output", joined_heads(y))),
            1e-13);
}

TEST(TransformerLs, WithAWindowOverAllKnowsNoOrder) {
  const BlockLayer layer =
      layer_of("transformer-ls", {"heads=2", "window=40", "projected=3", "bidirectional=true"});
  const Tensor x = lcsm::random_input(2, 20, 8, 2);
  EXPECT_LE(relative_error(layer(x.flip(1)).flip(1), layer(x)), 1e-13);
}

// Position 21: its segment of the window starts at 20, the one before at 16, its segment of
// projections at 18. Without projections it would see 16 ... 21.
TEST(TransformerLs, SeesWhatIsFarByItsProjectionOnly) {
  const BlockLayer layer = layer_of("transformer-ls", {"window=4", "segment=6"});
  const Tensor x = lcsm::random_input(1, 24, 8, 3), y = layer(x);
  for (std::int64_t u = 0; u < 24; ++u) {
    Tensor other = x.clone();
    other.select(1, u).neg_();
    EXPECT_EQ(layer(other).select(1, 21).equal(y.select(1, 21)), u > 21) << u;
  }
  const BlockLayer near = layer_of("transformer-ls", {"window=4", "segment=25"});
  const Tensor z = near(x);
  for (std::int64_t u = 0; u < 24; ++u) {
    Tensor other = x.clone();
    other.select(1, u).neg_();
    EXPECT_EQ(near(other).select(1, 21).equal(z.select(1, 21)), u < 16 || u > 21) << u;
  }
}

TEST(TransformerLs, RefusesAnOddWindow) {
  EXPECT_THROW(layer_of("transformer-ls", {"window=5"}), std::invalid_argument);
}

}  // namespace
}  // namespace runner
