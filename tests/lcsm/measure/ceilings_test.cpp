#include "lcsm/measure/ceilings.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

#include "lcsm/cuda/device/device.h"
#include "lcsm/measure/copy_cpu.h"
#include "lcsm/measure/rates.h"

namespace lcsm {
namespace {

void expect_plausible(const std::vector<Rate>& rates) {
  for (const Rate& rate : rates) {
    EXPECT_GT(rate.median, 0) << rate.what << ' ' << rate.dtype;
    EXPECT_GE(rate.best, rate.median) << rate.what << ' ' << rate.dtype;
    EXPECT_GE(rate.repeats, 3) << rate.what << ' ' << rate.dtype;
  }
}

TEST(Ceilings, CpuHasARowForEachKindAtOneAndAtAllThreads) {
  const int before = at::get_num_threads();
  const std::vector<Rate> rates = cpu_ceilings({.quick = true, .threads = 2});
  ASSERT_EQ(rates.size(), 10U);
  expect_plausible(rates);
  EXPECT_EQ(rates.front().threads, 1);
  EXPECT_EQ(rates.back().threads, 2);
  EXPECT_EQ(at::get_num_threads(), before);
}

TEST(Ceilings, OneThreadIsMeasuredOnce) {
  EXPECT_EQ(cpu_ceilings({.quick = true, .threads = 1}).size(), 5U);
}

TEST(Ceilings, OneThreadMayBeSkipped) {
  const std::vector<Rate> rates = cpu_ceilings({.quick = true, .threads = 2, .one_thread = false});
  ASSERT_EQ(rates.size(), 5U);
  EXPECT_EQ(rates.front().threads, 2);
}

TEST(Ceilings, AWrongProductIsRefused) {
  Product p = make_product(at::kCPU, at::kFloat, at::kFloat, 64);
  p.c.zero_();
  EXPECT_THROW(check_product(p, kMatmulKinds[0], "a test"), std::runtime_error);
  p.c.fill_(std::numeric_limits<float>::quiet_NaN());
  EXPECT_THROW(check_product(p, kMatmulKinds[0], "a test"), std::runtime_error);
}

TEST(Ceilings, CopiesCopy) {
  alignas(64) float from[64], to[64] = {};
  for (int i = 0; i < 64; ++i) from[i] = static_cast<float>(i);
  copy_ordinary(to, from, sizeof to / 2);
  EXPECT_EQ(to[31], 31);
  EXPECT_EQ(to[32], 0);
  copy_streaming(to, from, sizeof to);
  EXPECT_EQ(to[63], 63);
}

TEST(Ceilings, GpuHasARowForEachKind) {
  Cuda cuda;
  try {
    cuda = open_cuda();
  } catch (const std::runtime_error& error) {
    GTEST_SKIP() << error.what();
  }
  const std::vector<Rate> rates = cuda_ceilings(cuda, {.quick = true, .threads = 1});
  ASSERT_EQ(rates.size(), 7U);
  expect_plausible(rates);
}

}  // namespace
}  // namespace lcsm
