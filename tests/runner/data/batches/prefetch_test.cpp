#include "runner/data/batches/prefetch.h"

#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace runner {
namespace {

std::vector<Batch> numbered(std::int64_t step) {
  Batch batch;
  batch.targets = at::full({1}, step, at::kLong);
  return {batch};
}

std::int64_t number_of(const std::vector<Batch>& parts) {
  return parts.at(0).targets.item<std::int64_t>();
}

TEST(Prefetch, GivesTheStepsThatAreAskedForAtAnyDepth) {
  for (const std::int64_t depth : {0, 1, 3, 64}) {
    Prefetch prefetch(numbered, depth, 20);
    for (const std::int64_t step : {1, 2, 3, 9, 10, 4, 5, 19, 20, 21})
      EXPECT_EQ(number_of(prefetch.take(step)), step) << depth;
  }
}

TEST(Prefetch, ReadsAheadByItsDepthAndNeverBehindTheLastStep) {
  std::atomic<std::int64_t> most = 0;
  {
    Prefetch prefetch(
        [&](std::int64_t step) {
          most = step;
          return numbered(step);
        },
        2, 5);
    prefetch.take(1);
    EXPECT_LE(most, 4);
    for (const std::int64_t step : {2, 3, 4, 5}) prefetch.take(step);
  }
  EXPECT_EQ(most, 5);
}

TEST(Prefetch, ThrowsWhatTheStepThrewWhenItIsAskedFor) {
  Prefetch prefetch(
      [](std::int64_t step) {
        if (step == 3) throw std::runtime_error("of step 3");
        return numbered(step);
      },
      8, 100);
  EXPECT_EQ(number_of(prefetch.take(1)), 1);
  EXPECT_EQ(number_of(prefetch.take(2)), 2);
  EXPECT_THROW(prefetch.take(3), std::runtime_error);
  EXPECT_THROW(prefetch.take(3), std::runtime_error);
  EXPECT_EQ(number_of(prefetch.take(4)), 4);
}

}  // namespace
}  // namespace runner
