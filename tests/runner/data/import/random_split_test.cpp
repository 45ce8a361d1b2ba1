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

// train_test_split(range(39), train_size=0.7, random_state=0, stratify=labels) of
// scikit-learn 1.9.1, and of its second part with train_size=0.5, random_state=1.
TEST(RandomSplit, IsStratifiedAsInScikitLearn) {
  using Numbers = std::vector<std::uint32_t>;
  Numbers labels(13, 0), rest_labels;
  labels.resize(22, 1);
  labels.resize(39, 2);
  const auto [train, rest] = stratified_split(labels, 0.7, 0);
  EXPECT_EQ(train, (Numbers{28, 38, 34, 22, 29, 27, 32, 24, 13, 9, 1, 18, 8, 2,
                            36, 37, 4,  16, 10, 19, 33, 20, 11, 6, 7, 14, 23}));
  for (const std::uint32_t i : rest) rest_labels.push_back(labels[i]);
  Numbers valid, test;
  const auto parts = stratified_split(rest_labels, 0.5, 1);
  for (const std::uint32_t i : parts.first) valid.push_back(rest[i]);
  for (const std::uint32_t i : parts.second) test.push_back(rest[i]);
  EXPECT_EQ(valid, (Numbers{21, 5, 12, 15, 26, 31}));
  EXPECT_EQ(test, (Numbers{0, 35, 30, 3, 17, 25}));
}

// A split of ten labels with 3500 to 3522 examples, which leaves unequal remainders.
TEST(RandomSplit, IsStratifiedAsInScikitLearnWithManyLabels) {
  std::vector<std::uint32_t> labels;
  for (std::uint32_t label = 0; label < 10; ++label)
    labels.resize(labels.size() + 3500 + label * 7 % 23, label);
  const auto [train, rest] = stratified_split(labels, 0.7, 0);
  ASSERT_EQ(train.size(), 24575u);
  EXPECT_EQ(std::vector(train.begin(), train.begin() + 4),
            (std::vector<std::uint32_t>{16483, 23678, 26927, 19456}));
  EXPECT_EQ(std::vector(train.end() - 2, train.end()), (std::vector<std::uint32_t>{16804, 19111}));
  EXPECT_EQ(rest.size(), labels.size() - train.size());
}

}  // namespace runner
