#include "lcsm/measure/peak_memory.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <thread>

namespace lcsm {
namespace {

at::Tensor block(std::int64_t bytes) { return at::empty({bytes}, at::kByte); }

TEST(PeakMemory, IsTheMostAtOnce) {
  const PeakMemory memory;
  const at::Tensor kept = block(1000);
  { const at::Tensor freed = block(5000); }
  const at::Tensor later = block(2000);
  EXPECT_EQ(memory.peak(), 6000);
  EXPECT_EQ(memory.bytes(), 3000);
}

TEST(PeakMemory, IgnoresEarlierBlocks) {
  at::Tensor before = block(4000);
  const PeakMemory memory;
  before.reset();
  EXPECT_EQ(memory.bytes(), 0);
  const at::Tensor now = block(100);
  EXPECT_EQ(memory.peak(), 100);
}

TEST(PeakMemory, SeesEveryThread) {
  const PeakMemory memory;
  at::Tensor kept;
  std::thread([&] { kept = block(3000); }).join();
  at::parallel_for(0, 4, 1, [](std::int64_t begin, std::int64_t end) {
    for (; begin < end; ++begin) block(2000);
  });
  EXPECT_GE(memory.peak(), 5000);
  EXPECT_EQ(memory.bytes(), 3000);
}

TEST(PeakMemory, BlocksMayOutliveIt) {
  at::Tensor kept;
  {
    const PeakMemory memory;
    kept = block(1000);
  }
  const PeakMemory memory;
  kept.reset();
  EXPECT_EQ(memory.bytes(), 0);
  kept = block(0);
  EXPECT_EQ(memory.peak(), 0);
}

TEST(PeakMemory, CountsGrowthInPlace) {
  const PeakMemory memory;
  at::Tensor grown = block(1000);
  grown.resize_({3000});
  EXPECT_EQ(memory.bytes(), 3000);
  EXPECT_EQ(memory.peak(), 4000);  // both, while the old is copied
}

TEST(PeakMemory, OneAtATime) {
  std::optional<PeakMemory> memory(std::in_place);
  EXPECT_THROW(PeakMemory(), std::logic_error);
  memory.reset();
  EXPECT_NO_THROW(PeakMemory());
}

}  // namespace
}  // namespace lcsm
