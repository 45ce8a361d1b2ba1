// The GPU model: bounds by hand, and counts of one sequence used for all.
#include <gtest/gtest.h>

#include <stdexcept>
#include <tuple>

#include "lcsm/cuda/driver/nvrtc.h"
#include "runner/config/run/code_argument.h"
#include "runner/train/bench/bench_eos.h"
#include "tests/bench/launch_counts.h"

namespace runner {
namespace {

constexpr GpuModel kTen{"ten", "ten multiprocessors", 10, 1.0, 100, 10, 64, 16, 32};

LaunchCount launch(double LaunchCount::*what, double amount, double blocks = 10) {
  LaunchCount count{.kernel = "some", .blocks = blocks};
  count.*what = amount;
  return count;
}

CountedCase counted(const std::string& text, const std::string& sizes, std::int64_t sequences) {
  const CodeArgument given = read_code(text, {});
  const BenchShape shape = parse_shape(sizes);
  return counted_case(lcsm::make_variant(given.code, given.catalogue, shape.sizes), shape,
                      at::kBFloat16, 0, sequences);
}

}  // namespace

// 1 GHz: an instruction of a warp takes 32 / lanes ns on one of ten multiprocessors.
TEST(GpuModel, IsBoundByTheSlowestPart) {
  const std::tuple<double LaunchCount::*, const char*, double> all[] = {
      {&LaunchCount::bytes, "memory", 1e-11},
      {&LaunchCount::tensor, "tensor cores", 1e-13},
      {&LaunchCount::narrow, "float32", 0.05e-9},
      {&LaunchCount::special, "functions", 0.2e-9},
      {&LaunchCount::wide, "float64", 0.1e-9},
      {&LaunchCount::wavefronts, "shared memory", 0.1e-9}};
  for (const auto& [what, by, each] : all) {
    const Bound bound = bound_of(launch(what, 1e6), kTen);
    EXPECT_EQ(bound.by, by);
    EXPECT_NEAR(bound.seconds, 1e6 * each, 1e-9 * bound.seconds) << by;
  }
  LaunchCount both = launch(&LaunchCount::bytes, 1e6);
  both.wavefronts = 1e3;
  EXPECT_EQ(bound_of(both, kTen).by, "memory");
  EXPECT_EQ(bound_of(launch(&LaunchCount::accessed, 1e9), kTen).seconds, 0)
      << "caches may serve it";
}

// 11 blocks on ten multiprocessors: one has two. Memory is shared by all.
TEST(GpuModel, WaitsForTheBusiestMultiprocessor) {
  const double even = bound_of(launch(&LaunchCount::wavefronts, 1e6), kTen).seconds;
  EXPECT_NEAR(bound_of(launch(&LaunchCount::wavefronts, 1e6, 11), kTen).seconds, even * 20 / 11,
              1e-12);
  EXPECT_NEAR(bound_of(launch(&LaunchCount::wavefronts, 1e6, 1), kTen).seconds, even * 10, 1e-12);
  EXPECT_EQ(bound_of(launch(&LaunchCount::bytes, 1e6, 11), kTen).seconds,
            bound_of(launch(&LaunchCount::bytes, 1e6), kTen).seconds);
}

TEST(GpuModel, AddsLaunchesAndNamesWhatTakesMost) {
  const LaunchCount memory = launch(&LaunchCount::bytes, 1e5),
                    shared = launch(&LaunchCount::wavefronts, 6e3);
  const double expected = 2 * bound_of(shared, kTen).seconds + bound_of(memory, kTen).seconds;
  const Bound bound = bound_of({shared, memory, shared}, kTen);
  EXPECT_NEAR(bound.seconds, expected, 1e-15);
  EXPECT_EQ(bound.by, "shared memory");
}

TEST(GpuModel, IsRefusedWithTheNamesThatThereAre) {
  EXPECT_EQ(gpu_model("h100").processors, 132);
  for (const char* name : {"b900", "cuda", ""}) {
    try {
      gpu_model(name);
      FAIL() << name;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("a100 h100 h200"), std::string::npos);
    }
  }
}

// Products on tensor cores, those that lcsm/README.md tells, and the last memory; the gradient of a
// first one is not wanted.
TEST(LaunchCounts, CountsTheProductsOfTwoChunks) {
  if (!lcsm::nvrtc_missing().empty()) GTEST_SKIP() << lcsm::nvrtc_missing();
  const CountedCase of = counted("1-10-1-0", "1,128,64,64", 1);
  constexpr double kProduct = 2 * 16 * 8 * 16;
  ASSERT_EQ(of.both.launches.size(), 2u);
  EXPECT_EQ(of.forward.launches.at(0).tensor, (576 + 128) * kProduct);
  EXPECT_EQ(of.both.launches[1].tensor, 1472 * kProduct);
  EXPECT_EQ(of.forward.least_bytes, 4 * 128 * 64 * 2);
}

// Gradients of what all sequences share are added up by launches that do not grow with them.
TEST(LaunchCounts, TakesOneSequenceForEach) {
  if (!lcsm::nvrtc_missing().empty()) GTEST_SKIP() << lcsm::nvrtc_missing();
  for (const char* code : {"1-10-1-0", "1-9-1-0"}) {
    const CountedCase one = counted(code, "1,70,16,16", 3), three = counted(code, "3,70,16,16", 1);
    EXPECT_EQ(one.machine, three.machine);
    ASSERT_EQ(one.forward.launches.size(), three.forward.launches.size());
    ASSERT_EQ(one.both.launches.size(), three.both.launches.size());
    for (std::size_t n = 0; n < one.both.launches.size(); ++n) {
      const LaunchCount &a = one.both.launches[n], &b = three.both.launches[n];
      EXPECT_EQ(a.kernel, b.kernel);
      if (a.kernel.find("_sum_") != a.kernel.npos) continue;
      EXPECT_EQ(a.blocks, b.blocks) << a.kernel;
      EXPECT_EQ(a.tensor, b.tensor) << a.kernel;
      EXPECT_EQ(a.narrow, b.narrow) << a.kernel;
      EXPECT_EQ(a.special, b.special) << a.kernel;
      EXPECT_EQ(a.wavefronts, b.wavefronts) << a.kernel;
      EXPECT_LE(b.bytes, a.bytes) << a.kernel;
      EXPECT_GE(b.bytes, 0.8 * a.bytes) << a.kernel;
    }
  }
}

}  // namespace runner
