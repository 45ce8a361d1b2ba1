// Norms and their gradients through the judge, against the definition in float64. LCSM_FUZZ=1
// prints errors and traffic.
#include "lcsm/cuda/step/norm_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <stdexcept>

#include "tests/lcsm/cuda/driver/expect_judged.h"
#include "tests/lcsm/cuda/step/norm_case.h"

namespace lcsm::test {
namespace {

using std::size_t;

class NormKernels : public testing::Test {
 protected:
  void SetUp() override {
    kernels_ = built_kernels("norm");
    if (kernels_ == nullptr) GTEST_SKIP() << "no CUDA toolkit when this was built";
  }

  Judged check(const NormCase& c, int orders = 1, const ptx::Options& options = {}) {
    const Named given = random_norm(c), expected = by_definition(c, given);
    Judged got = by_judge(c, given, *kernels_, orders, options);
    EXPECT_EQ(got.values.size(), expected.size());
    expect_right(
        got, expected, [&](const std::string& name) { return norm_tolerance(c, name); },
        std::to_string(c.rows) + " rows of " + std::to_string(c.d));
    return got;
  }
  const Kernels* kernels_ = nullptr;
};

std::vector<NormCase> every_kind() {
  std::vector<NormCase> all;
  for (int bits = 0; bits < 16; ++bits)
    all.push_back({.bfloat16_x = (bits & 1) != 0,
                   .bfloat16_y = (bits & 2) != 0,
                   .residual = (bits & 4) != 0,
                   .centered = (bits & 8) != 0,
                   .affine = bits % 3 != 0});
  return all;
}

}  // namespace

TEST_F(NormKernels, AreRightForEveryNumberOfChannels) {
  for (NormCase c : every_kind())
    for (const int d : {1, 3, 12, 50, 100, 200, 512, 514}) {
      if (d == 1 && !c.residual) continue;  // the gradient is 0
      c.d = d, c.rows = d < 100 ? 11 : 9;
      check(c);
    }
  for (NormCase c : every_kind()) {
    c.rows = 3;
    if (c.bfloat16_x == c.bfloat16_y)
      for (const int d : {1000, 1029, 2052, 4095, 4096}) {
        c.d = d;
        check(c);
      }
  }
}

// A block that goes through rows, several blocks that add up columns.
TEST_F(NormKernels, AreRightForManyRows) {
  for (NormCase c : every_kind())
    for (const int d : {8, 70}) {
      c.d = d, c.rows = 350, c.processors = 2;
      check(c);
    }
  check({.rows = 70, .d = 640, .bfloat16_x = true, .residual = true, .processors = 2});
}

TEST_F(NormKernels, GiveTheSameInEveryOrder) {
  for (NormCase c : every_kind()) {
    if (!c.affine) continue;
    c.rows = 41, c.d = 64, c.processors = 2;
    check(c, 3, {.ulps = 2});
    c.rows = 9, c.d = 1022;
    check(c, 3, {.ulps = 2});
  }
}

TEST_F(NormKernels, TakeTensorsThatBeginAnywhere) {
  for (NormCase c : every_kind())
    for (const size_t from : {0u, 1u, 2u, 4u}) {
      c.from = from, c.weights_from = 1, c.d = 24;
      const bool fours = from % 4 == 0;
      for (const auto& [kernel, counts] : check(c).counts)
        EXPECT_TRUE(kernel == "norm_sum" || kernel.ends_with(fours ? "_4" : "_1")) << kernel;
    }
}

// The sum has no gradient of its own, as in a model's last norm.
TEST_F(NormKernels, TakeNoGradientOfTheSum) {
  for (const bool bfloat16 : {false, true})
    check({.d = 20, .bfloat16_x = bfloat16, .residual = true, .d_sum = false});
}

// Squares less the square of the mean would have no digit left.
TEST_F(NormKernels, KeepTheVarianceBesideALargeMean) {
  NormCase c{.rows = 4, .d = 256, .offset = 3000};
  const Named given = random_norm(c);
  const Judged got = by_judge(c, given, *kernels_);
  const Named expected = by_definition(c, given);
  // The mean is off by half a unit of float32, which is 1.2e-4 here.
  EXPECT_LE(differences(got.values, expected).at("y"), 2e-4);
  EXPECT_LE(differences(got.values, expected).at("scale"), 1e-5);
}

TEST_F(NormKernels, ShowNaN) {
  for (const bool residual : {false, true}) {
    const NormCase c{.rows = 3, .d = 16, .residual = residual};
    Named given = random_norm(c);
    given["x"][16 + 5] = std::nan("");
    const Judged got = by_judge(c, given, *kernels_);
    EXPECT_EQ(got.findings, "");
    for (size_t n = 0; n < 48; ++n) {
      EXPECT_EQ(std::isnan(got.values.at("y")[n]), n / 16 == 1) << n;
      EXPECT_EQ(std::isnan(got.values.at("d_x")[n]), n / 16 == 1) << n;
    }
    for (const double d : got.values.at("d_weight")) EXPECT_TRUE(std::isnan(d));
  }
}

// Rows once, weights once a block for each of its teams, statistics once a warp, sums of columns
// once a block.
TEST_F(NormKernels, MoveNoMoreThanTheAlgorithm) {
  for (NormCase c : every_kind())
    for (const int d : {128, 512, 1024, 4096}) {
      c.d = d, c.rows = 8 * 4096 / d;
      Judged got = check(c);
      got.counts.erase("norm_sum");
      ASSERT_EQ(got.counts.size(), 2u);
      for (const auto& [kernel, counts] : got.counts) {
        const bool forward = kernel.find("forward") != kernel.npos;
        const int x = c.bfloat16_x ? 2 : 4, y = c.bfloat16_y ? 2 : 4, sum = c.residual ? 4 : 0;
        const int team = std::max(kNormTeam, d / kNormNumbers), teams = kNormThreads / team;
        const int blocks = std::min((c.rows + teams - 1) / teams, forward ? 6 : 2);
        const int weights = c.affine ? 4 * d * blocks : 0;  // bytes of a weight of all blocks
        const int read = c.rows * d * (forward ? x + sum : (c.residual ? 4 + 4 : x) + y) +
                         weights * teams * (forward ? 2 : 1);
        const int statistics = c.rows * (c.centered ? 64 : 32);
        const int written = c.rows * d * ((forward ? y : x) + sum) + (forward ? 0 : weights * 2);
        const double in = 32.0 * static_cast<double>(counts.global_read.used),
                     out = 32.0 * static_cast<double>(counts.global_write.used);
        EXPECT_LE(in, read + (forward ? 0 : statistics * std::max(1, team / 32)))
            << kernel << " " << d;
        EXPECT_LE(out, written + (forward ? statistics : 0)) << kernel << " " << d;
        EXPECT_EQ(counts.shared.used, counts.shared.ideal) << kernel << " " << d;
        EXPECT_TRUE(kernel.ends_with("_4")) << kernel;
        if (fuzzes())
          std::cout << kernel << " " << d << ": " << in / read << " and " << out / written
                    << " of the bytes, " << counts.instructions << " instructions\n";
      }
    }
}

TEST(NormCalls, AreNoneWithoutRows) {
  NormWork work;
  work.norm.d = 3;
  EXPECT_TRUE(norm_forward_calls(work).empty());
  work.norm.rows = 1;
  for (const int d : {0, kNormMost + 1}) {
    work.norm.d = d;
    EXPECT_THROW(norm_forward_calls(work), std::invalid_argument);
  }
}

TEST(NormCalls, NameKernelsOfTheSource) {
  if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  NormWork work{.bfloat16_y = true};
  work.norm.rows = 1, work.norm.d = 8;
  float sums[8];
  work.d_weight = sums;
  std::vector<KernelCall> calls =
      norm_backward_calls(work, [&](const char*, size_t) { return static_cast<void*>(sums); });
  calls.push_back(norm_forward_calls(work).at(0));
  const NvrtcResult compiled = compile_cuda(norm_source(work));
  for (const KernelCall& call : calls)
    EXPECT_NE(compiled.code.find(".entry " + call.kernel + "("), std::string::npos) << compiled.log;
}

}  // namespace lcsm::test
