// The kernels of the weighted mean through the judge, forward and backward, against the CPU's
// machine in float64. LCSM_FUZZ=1 prints errors and traffic.
#include "lcsm/cuda/wkv/wkv_calls.h"

#include <gtest/gtest.h>

#include <iostream>

#include "lcsm/cuda/driver/nvrtc.h"
#include "tests/lcsm/cuda/driver/expect_judged.h"
#include "tests/lcsm/cuda/wkv/wkv_case.h"

namespace lcsm::test {
namespace {

class WkvKernels : public testing::Test {
 protected:
  void SetUp() override {
    kernels_ = built_kernels("wkv");
    if (!kernels_) GTEST_SKIP() << "no CUDA toolkit when this was built";
  }
  Judged judged(const WkvShape& shape, int orders = 1, const ptx::Options& options = {}) {
    const Named inputs = random_wkv(shape, 5);
    Judged got = by_judge(shape, inputs, *kernels_, orders, options);
    expect_right(got, by_cpu(shape, inputs), tolerance_of(shape), name_of(shape));
    return got;
  }
  const Kernels* kernels_ = nullptr;
};

}  // namespace

TEST_F(WkvKernels, AreRightForEveryLength) {
  for (const int T : {1, 2, 15, 16, 17, 63, 64, 65, 128, 200})
    for (const bool first : {false, true}) judged({.T = T, .first = first});
}

TEST_F(WkvKernels, AreRightForEveryNumberOfChannels) {
  for (const int D : {1, 31, 33, 67})
    for (const bool bfloat16 : {false, true})
      judged({.B = 3, .T = 140, .D = D, .bfloat16 = bfloat16, .first = true});
}

TEST_F(WkvKernels, SplitTimeAmongBlocks) {
  for (const int processors : {4, 40})
    for (const bool first : {false, true})
      judged({.T = 700, .first = first, .processors = processors});
  judged({.B = 1, .T = 700, .D = 34, .bfloat16 = true, .processors = 7, .decay = 1e-2});
}

// Weights that grow and decay by hundreds of powers of e, and weights that hardly decay.
TEST_F(WkvKernels, TakeKeysAndDecaysOfEverySize) {
  judged({.T = 150, .first = true, .decay = 1e-6});
  judged({.T = 150, .first = true, .processors = 40, .decay = 40});
  const WkvShape large{.T = 150, .processors = 40, .keys = 300};
  const Named inputs = random_wkv(large, 5), expected = by_cpu(large, inputs);
  const Judged got = by_judge(large, inputs, *kernels_, 1);
  EXPECT_EQ(got.findings, "");
  // A share depends on a difference of keys, which float32 rounds to 3e-5.
  for (const char* name : {"y", "mean", "log_sum", "d v"})
    EXPECT_LE(differences(got.values, {{name, expected.at(name)}})[name], 1e-4) << name;
}

TEST_F(WkvKernels, GiveTheSameInEveryOrderWithApproximateFunctions) {
  judged({.T = 300, .D = 34, .first = true, .processors = 10}, 3, {.ulps = 2});
}

// Forward moves k, v, y and the stored values once; backward also d_y and the gradients of k and v.
TEST_F(WkvKernels, MoveNoMoreThanTheAlgorithm) {
  for (const bool bfloat16 : {false, true})
    for (const int processors : {1, 8}) {
      const WkvShape shape{
          .B = 1, .T = 1024, .D = 64, .bfloat16 = bfloat16, .processors = processors};
      const double data = (bfloat16 ? 2.0 : 4.0) * 1024 * 64;
      for (const auto& [kernel, counts] : judged(shape).counts) {
        const double bytes = kernel.starts_with("wkv_forward")    ? 3 * data
                             : kernel.starts_with("wkv_backward") ? 5 * data
                             : kernel.starts_with("wkv_ends")     ? 2 * data
                             : kernel.starts_with("wkv_starts")   ? 3 * data
                                                                  : 0;
        if (bytes == 0) continue;
        const double moved =
            32.0 * static_cast<double>(counts.global_read.used + counts.global_write.used);
        EXPECT_LE(moved, 1.3 * bytes) << kernel << ", " << name_of(shape);
        EXPECT_EQ(counts.shared.used, counts.shared.ideal) << kernel << ": bank conflicts";
        if (fuzzes())
          std::cout << kernel << ", " << name_of(shape) << ": " << moved / bytes
                    << " of the bytes, " << counts.instructions * 32.0 / (1024 * 64)
                    << " instructions a step\n";
      }
    }
}

TEST(WkvCalls, SplitTimeWhereChannelsAreTooFew) {
  WkvWork work;
  work.wkv.B = 16, work.wkv.T = 4096, work.wkv.D = 512;
  const Allocate none = [](const char*, std::size_t) { return nullptr; };
  EXPECT_EQ(wkv_forward_calls(work, none).size(), 1u);
  work.wkv.B = 1;
  EXPECT_EQ(wkv_forward_calls(work, none).size(), 2u);
  EXPECT_EQ(wkv_backward_calls(work, none).size(), 3u);
  work.wkv.T = kWkvTile;
  EXPECT_EQ(wkv_forward_calls(work, none).size(), 1u);
}

TEST(WkvCalls, CompileAtRunTime) {
  if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  WkvWork work;
  work.bfloat16 = true;
  const NvrtcResult compiled = compile_cuda(wkv_source(work));
  for (const char* name : {"wkv_backward_bfloat16", "wkv_sum"})
    EXPECT_NE(compiled.code.find(std::string(".entry ") + name), std::string::npos) << compiled.log;
}

}  // namespace lcsm::test
