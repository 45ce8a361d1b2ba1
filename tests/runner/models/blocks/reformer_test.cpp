#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "lcsm/measure/peak_memory.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/layer_of.h"

namespace runner {
namespace {

using at::Tensor;
using ets::relative_error;

// One head of d channels, with softmax over all other positions of the sequence.
Tensor shared_attention(const lcsm::Weights& w, const Tensor& x, bool bidirectional) {
  const Tensor q = lcsm::project(w, "query", x), k = q / (q * q).sum(-1, true).sqrt();
  Tensor scores = at::matmul(q, k.transpose(1, 2)) / std::sqrt(static_cast<double>(x.size(2)));
  const Tensor self = at::eye(x.size(1), at::kBool);
  if (!bidirectional) scores = scores.masked_fill(~at::ones_like(self).tril(), -1e9);
  return lcsm::project(
      w, "output", at::matmul(at::softmax(scores - 1e5 * self, -1), lcsm::project(w, "value", x)));
}

TEST(Reformer, OfOneBucketAndChunkIsAttentionOfSharedQueriesAndKeys) {
  for (const bool bidirectional : {false, true}) {
    const BlockLayer layer =
        layer_of("reformer", {"heads=1", "buckets=1", "chunk=30", "rounds=2",
                              bidirectional ? "bidirectional=true" : "bidirectional=false"});
    const Tensor x = lcsm::random_input(2, 30, 8, 1);
    EXPECT_LE(relative_error(layer(x), shared_attention(layer.weights, x, bidirectional)), 1e-13);
  }
}

// An angle of 0 between queries: one hash in every round. Of two groups of opposite queries neither
// sees the other, since argmax [z; -z] differs for z and -z.
TEST(Reformer, OppositeQueriesDoNotMeet) {
  BlockLayer layer = layer_of("reformer", {"heads=1", "buckets=4", "chunk=30"});
  layer.weights.at("query.bias") = at::zeros({8}, at::kDouble);
  const Tensor row = lcsm::random_input(1, 1, 8, 2), x = at::cat({row, -row, 2 * row, -2 * row}, 1);
  Tensor other = x.clone();
  other.select(1, 1).mul_(3);
  const Tensor y = layer(x), changed = layer(other);
  EXPECT_TRUE(changed.select(1, 2).equal(y.select(1, 2)));
  EXPECT_GT(relative_error(changed.select(1, 3), y.select(1, 3)), 1e-6);
}

// Position 0 meets position 1, of equal direction, in all 8 rounds, and position 2 in n of them.
TEST(Reformer, JoinsRoundsByTheSumsOfTheirWeights) {
  BlockLayer layer = layer_of(
      "reformer", {"heads=1", "buckets=2", "rounds=8", "bidirectional=true", "duplicates=true"});
  const lcsm::Weights& w = layer.weights;
  layer.weights.at("query.bias") = at::zeros({8}, at::kDouble);
  const Tensor x = 2 * lcsm::random_input(1, 3, 8, 4);
  x.select(1, 1).copy_(2 * x.select(1, 0));
  const Tensor q = lcsm::project(w, "query", x)[0], v = lcsm::project(w, "value", x)[0];
  const auto weight = [&](int u) {
    return at::exp((q[0] * q[u]).sum() / (q[u] * q[u]).sum().sqrt() / std::sqrt(8.0));
  };
  double least = 1;
  for (int n = 1; n < 8; ++n) {
    const Tensor met = 8 * weight(1), some = n * weight(2);
    const Tensor y = lcsm::project(w, "output", (met * v[1] + some * v[2]) / (met + some));
    least = std::min(least, relative_error(layer(x)[0][0], y));
  }
  EXPECT_LE(least, 1e-13);
}

// With 2 buckets and 64 rounds every pair meets at least once.
TEST(Reformer, OfManyRoundsIsAttentionOfSharedQueriesAndKeys) {
  for (const bool bidirectional : {false, true}) {
    const BlockLayer layer =
        layer_of("reformer", {"heads=1", "buckets=2", "chunk=30", "rounds=64",
                              bidirectional ? "bidirectional=true" : "bidirectional=false"});
    const Tensor x = lcsm::random_input(2, 30, 8, 5);
    EXPECT_LE(relative_error(layer(x), shared_attention(layer.weights, x, bidirectional)), 1e-12);
  }
}

TEST(Reformer, SeesTwoChunksOfItsBucket) {
  const BlockLayer layer = layer_of("reformer", {"buckets=1", "chunk=4", "rounds=1"});
  const Tensor x = lcsm::random_input(1, 16, 8, 3), y = layer(x);
  for (std::int64_t u = 0; u < 14; ++u) {
    Tensor other = x.clone();
    other.select(1, u).mul_(2);
    EXPECT_EQ(layer(other).select(1, 14).equal(y.select(1, 14)), u < 8) << u;
  }
}

// In all rounds together the chunks of 512 positions hold more pairs than there are.
TEST(Reformer, KeepsNoMorePairsThanThereAre) {
  const BlockLayer layer = layer_of("reformer", {"heads=1"});
  const Tensor x = lcsm::random_input(1, 512, 8, 6);
  const lcsm::PeakMemory memory;
  layer(x);
  EXPECT_LT(memory.peak(), std::int64_t{6 * 512 * 512 * sizeof(double)});
}

TEST(Reformer, RefusesAnOddNumberOfBuckets) {
  EXPECT_THROW(layer_of("reformer", {"buckets=3"}), std::invalid_argument);
}

}  // namespace
}  // namespace runner
