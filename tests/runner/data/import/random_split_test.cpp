#include "runner/data/import/random_split.h"

#include <gtest/gtest.h>

namespace runner {

// torch.randperm(10, generator=torch.Generator().manual_seed(42))
TEST(RandomSplit, PermutesAsTorchDoes) {
  EXPECT_EQ(torch_permutation(10, 42), (std::vector<std::uint32_t>{2, 6, 1, 8, 4, 5, 0, 9, 3, 7}));
}

TEST(RandomSplit, SharesAreCutFromTheEnd) {
  const auto splits = torch_split(200'000, 0.1, 0.1, 42);
  EXPECT_EQ(splits[0].size(), 160'000u);
  EXPECT_EQ(splits[1].size(), 20'000u);
  EXPECT_EQ(splits[2].size(), 20'000u);
  const auto few = torch_split(15, 0.1, 0.1, 42);
  EXPECT_EQ(few[0].size(), 13u);
  EXPECT_EQ(few[2].size(), 1u);
  EXPECT_EQ(few[2].back(), torch_permutation(15, 42).back());
  EXPECT_TRUE(torch_split(0, 0.1, 0.1, 42)[0].empty());
}

}  // namespace runner
