
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "runner/data/tasks/example_order.h"

namespace runner {
namespace {

constexpr std::uint32_t kExamples = 1003;
constexpr std::size_t kBatch = 10;

std::vector<std::uint32_t> lengths() {
  std::vector<std::uint32_t> all(kExamples);
  for (std::uint32_t i = 0; i < kExamples; ++i) all[i] = 1 + i * 7919 % 500;
  return all;
}

std::vector<std::uint32_t> order(std::uint64_t seed, std::uint64_t epoch) {
  return order_by_length(example_order(true, kExamples, seed, epoch), lengths(), kBatch, seed,
                         epoch);
}

TEST(LengthBatches, HaveEveryExampleOnce) {
  std::vector<std::uint32_t> all = order(3, 1), wanted(kExamples);
  std::sort(all.begin(), all.end());
  std::iota(wanted.begin(), wanted.end(), 0u);
  EXPECT_EQ(all, wanted);
}

TEST(LengthBatches, AreAFunctionOfSeedAndEpoch) {
  EXPECT_EQ(order(3, 1), order(3, 1));
  EXPECT_NE(order(3, 1), order(3, 2));
  EXPECT_NE(order(3, 1), order(4, 1));
}

// Lengths are uniform from 1 to 500: batches drawn at random would be 45 of 100 padding.
TEST(LengthBatches, PadLittle) {
  const std::vector<std::uint32_t> all = order(1, 0), of = lengths();
  std::uint64_t there = 0, padded = 0;
  for (std::size_t first = 0; first < all.size(); first += kBatch) {
    const std::size_t size = std::min(kBatch, all.size() - first);
    std::uint32_t longest = 0;
    for (std::size_t i = first; i < first + size; ++i) {
      longest = std::max(longest, of[all[i]]);
      there += of[all[i]];
    }
    padded += size * longest;
  }
  EXPECT_LT(static_cast<double>(padded - there), 0.1 * static_cast<double>(padded));
}

TEST(LengthBatches, DoNotComeByLength) {
  const std::vector<std::uint32_t> all = order(1, 0), of = lengths();
  int falls = 0;
  for (std::size_t first = kBatch; first + kBatch <= all.size(); first += kBatch)
    falls += of[all[first]] < of[all[first - kBatch]] ? 1 : 0;
  EXPECT_GT(falls, 30) << "of 100";
}

}  // namespace
}  // namespace runner
