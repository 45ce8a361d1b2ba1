#include "runner/train/trainer/segments.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace runner {
namespace {

using Lengths = std::vector<std::int64_t>;

// MEGA's: 2 to 6 chunks, as many of each; what is left of an example is counted apart.
TEST(Segments, AreDrawnWithEqualChancesAndCoverTheExample) {
  std::map<std::int64_t, int> seen;
  int drawn = 0;
  for (std::int64_t step = 1; step <= 2000; ++step) {
    const Lengths all = drawn_segments({2, 3, 4, 5, 6}, 1000, 1, step);
    EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::int64_t{0}), 1000);
    EXPECT_TRUE(std::is_sorted(all.rbegin(), all.rend()));
    for (const std::int64_t one : all) ++seen[one], ++drawn;
  }
  for (const std::int64_t length : {2, 3, 4, 5, 6})
    EXPECT_NEAR(seen[length], drawn / 5, drawn / 100) << length;
  EXPECT_NE(drawn_segments({2, 3}, 12, 1, 1), drawn_segments({2, 3}, 12, 1, 5)) << "by step";
}

TEST(Segments, HaveTheInputsAndTargetsOfTheWhole) {
  const at::Tensor values = at::arange(12).view({2, 6}), targets = at::arange(12) + 1;
  const std::vector<Batch> parts = cut({{values}, {}, targets}, {4, 2});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_TRUE(at::cat({parts[0].inputs.values, parts[1].inputs.values}, 1).equal(values));
  for (const Batch& part : parts)
    EXPECT_TRUE((part.inputs.values.flatten() + 1).equal(part.targets));
}

}  // namespace
}  // namespace runner
