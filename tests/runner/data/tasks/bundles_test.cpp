#include "runner/data/tasks/bundles.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace runner {
namespace {

std::vector<PairLengths> some_lengths(std::uint32_t count) {
  std::vector<PairLengths> lengths;
  for (std::uint32_t i = 0; i < count; ++i) lengths.push_back({1 + i * 7 % 13, 1 + i * 5 % 11});
  return lengths;
}

}  // namespace

TEST(Bundles, HaveEachSentenceOnceAndFewEnoughTokens) {
  constexpr std::uint64_t kTokens = 60;
  const std::vector<PairLengths> lengths = some_lengths(300);
  const std::vector<Bundle> bundles = bundles_of(lengths, kTokens, 1);
  std::multiset<std::uint32_t> seen;
  std::uint32_t last = 0;
  for (std::size_t b = 0; b < bundles.size(); ++b) {
    std::uint64_t longest = 0;
    for (const std::uint32_t sentence : bundles[b]) {
      seen.insert(sentence);
      longest = std::max<std::uint64_t>(longest, lengths[sentence].longer());
      EXPECT_GE(lengths[sentence].target, last) << "sorted by the target's length";
      last = lengths[sentence].target;
    }
    EXPECT_LE(longest * bundles[b].size(), kTokens);
    if (b + 1 == bundles.size()) continue;
    const std::uint64_t with_next =
        std::max<std::uint64_t>(longest, lengths[bundles[b + 1][0]].longer());
    EXPECT_GT(with_next * (bundles[b].size() + 1), kTokens) << "as many as fit";
  }
  EXPECT_EQ(seen.size(), 300u);
  EXPECT_EQ(std::set<std::uint32_t>(seen.begin(), seen.end()).size(), 300u);
}

TEST(Bundles, AreAFunctionOfTheSeed) {
  const std::vector<PairLengths> lengths = some_lengths(300);  // some of equal lengths
  EXPECT_EQ(bundles_of(lengths, 40, 1), bundles_of(lengths, 40, 1));
  EXPECT_NE(bundles_of(lengths, 40, 1), bundles_of(lengths, 40, 2));
}

TEST(Bundles, HaveASentenceThatIsTooLongAlone) {
  const std::vector<PairLengths> lengths = {{50, 2}, {1, 1}, {2, 1}};
  const std::vector<Bundle> bundles = bundles_of(lengths, 10, 1);
  ASSERT_EQ(bundles.size(), 2u);
  EXPECT_EQ(bundles[1], Bundle{0});
  EXPECT_TRUE(bundles_of({}, 10, 1).empty());
}

}  // namespace runner
