#include "runner/data/tasks/segments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "runner/config/toml/config_value.h"

namespace runner {
namespace {

RunConfig segments_config(const std::string& segments, const std::string& seed = "1") {
  return parse_config("", "",
                      {"task.name=text", "model.code=ssm", "task.length=60",
                       "task.segments=" + segments, "seed=" + seed},
                      [](const std::string&) {});
}

std::vector<Segment> in_order_of_text(const Segments& segments,
                                      const std::vector<std::uint32_t>& order) {
  std::vector<Segment> all;
  for (const std::uint32_t example : order) all.push_back(segments.of(example));
  std::ranges::sort(all, {}, &Segment::first);
  return all;
}

std::map<std::int64_t, int> sizes_of(const std::vector<Segment>& all) {
  std::map<std::int64_t, int> counts;
  for (const Segment& each : all) ++counts[each.tokens];
  return counts;
}

constexpr std::uint64_t kSegmentTokens = 100'007;  // 10 000 chunks of 10, and 7

}  // namespace

TEST(Segments, CutTheTextWithoutAGap) {
  const Segments segments(segments_config("2-6"), kSegmentTokens);
  for (const bool shuffled : {false, true}) {
    const auto order = segments.order(shuffled, 8, 1, 3);
    ASSERT_EQ(order.size(), segments.count());
    std::uint64_t next = 0;
    for (const Segment& each : in_order_of_text(segments, order)) {
      ASSERT_EQ(each.first, next);
      next += static_cast<std::uint64_t>(each.tokens);
      ASSERT_TRUE(each.tokens >= 20 && each.tokens <= 60 && each.tokens % 10 == 0) << each.tokens;
    }
    EXPECT_LE(next, 100'000u);
    EXPECT_GT(next, 100'000u - 20);
  }
}

// 2500 segments, a fifth of each size: five standard deviations of a binomial are 100.
TEST(Segments, HaveEachNumberOfChunksAlike) {
  const Segments segments(segments_config("2-6"), kSegmentTokens);
  const auto counts = sizes_of(in_order_of_text(segments, segments.order(true, 8, 1, 0)));
  ASSERT_EQ(counts.size(), 5u);
  for (const auto& [tokens, count] : counts) EXPECT_NEAR(count, 500, 110) << tokens;
}

TEST(Segments, AreCutAnewInEachEpochAndAreAFunctionOfTheSeed) {
  const Segments segments(segments_config("2-6"), kSegmentTokens),
      again(segments_config("2-6"), kSegmentTokens),
      other(segments_config("2-6", "2"), kSegmentTokens);
  EXPECT_EQ(segments.order(true, 8, 1, 5), again.order(true, 8, 1, 5));
  const auto cut = [&](std::uint64_t epoch) {
    auto order = segments.order(true, 8, 1, epoch);
    std::ranges::sort(order);
    return order;
  };
  EXPECT_NE(cut(0), cut(1));
  EXPECT_EQ(sizes_of(in_order_of_text(segments, cut(0))),
            sizes_of(in_order_of_text(segments, cut(1))));
  EXPECT_NE(segments.order(false, 8, 1, 0), other.order(false, 8, 1, 0));
  EXPECT_EQ(segments.order(false, 8, 1, 0), segments.order(false, 8, 1, 1));
}

TEST(Segments, OfABatchHaveAboutOneLength) {
  const Segments segments(segments_config("2-6"), kSegmentTokens);
  const auto order = segments.order(true, 8, 1, 0);
  std::size_t mixed = 0, batches = order.size() / 8;
  for (std::size_t n = 0; n < batches; ++n) {
    std::vector<std::int64_t> tokens;
    for (std::size_t b = 0; b < 8; ++b) tokens.push_back(segments.of(order[8 * n + b]).tokens);
    mixed += std::ranges::min(tokens) != std::ranges::max(tokens);
  }
  EXPECT_LT(mixed, batches / 4);
}

TEST(Segments, OfOneSizeAreTheBlocks) {
  const Segments segments(segments_config("6-6"), kSegmentTokens);
  EXPECT_EQ(segments.count(), 1666u);
  EXPECT_EQ(segments.of(segments.order(false, 8, 1, 0)[2]).first, 120u);
}

TEST(Segments, AreAskedForWithARange) {
  EXPECT_FALSE(segments_in(segments_config("''"), 1000));
  EXPECT_EQ(mean_length(segments_config("''")), 60);
  EXPECT_EQ(mean_length(segments_config("2-6")), 40);
  for (const char* wrong : {"2", "6-2", "0-3", "2-", "-3", "2-6 ", "a-b", "2-2000000"})
    EXPECT_THROW(segments_of(wrong), std::invalid_argument) << wrong;
  EXPECT_THROW(segments_config("2-7"), std::invalid_argument) << "60 is no multiple of 7";
  EXPECT_THROW(Segments(segments_config("2-6"), 19), std::invalid_argument);
}

}  // namespace runner
