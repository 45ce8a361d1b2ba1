// A short convolution and its gradients, through the judge, against the definition in float64.
#include "lcsm/cuda/step/short_conv_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

#include "tests/lcsm/cuda/driver/expect_judged.h"

namespace lcsm::test {
namespace {

using std::size_t;
using enum Activation;

struct ConvCase {
  Activation activation = kSilu;
  int taps = 4;
  size_t B = 2, T = 40, D = 8;
  bool bfloat16 = false, bias = true;
  size_t gap = 0;   // numbers between rows of x
  size_t from = 0;  // numbers before each tensor over the data
};

std::string what(const ConvCase& c) {
  return std::string(kActivations[static_cast<int>(c.activation)]) + ", " + std::to_string(c.taps) +
         " taps, " + std::to_string(c.B) + " x " + std::to_string(c.T) + " x " +
         std::to_string(c.D) + (c.bfloat16 ? " bfloat16" : "");
}

Named random_conv(const ConvCase& c) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  Named given;
  const auto draw = [&](const char* name, size_t count, bool bfloat16) {
    for (size_t n = 0; n < count; ++n) given[name].push_back(rounded(normal(random), bfloat16));
  };
  draw("x", c.from + c.B * c.T * (c.D + c.gap), c.bfloat16);
  draw("d_y", c.from + c.B * c.T * c.D, c.bfloat16);
  draw("weight", c.D * static_cast<size_t>(c.taps), false);
  draw("bias", c.D, false);
  return given;
}

std::pair<double, double> value_and_slope(Activation activation, double x) {
  const double share = 1 / (1 + std::exp(-x));
  if (activation == kIdentity) return {x, 1};
  if (activation == kSigmoid) return {share, share * (1 - share)};
  return {x * share, share * (1 + x * (1 - share))};
}

Named by_definition(const ConvCase& c, const Named& given) {
  const auto taps = static_cast<size_t>(c.taps);
  Named all;
  all["y"].resize(c.B * c.T * c.D), all["d_x"].resize(c.B * c.T * c.D);
  all["sums"].resize((taps + 1) * c.D);
  const auto at = [&](size_t b, size_t t, size_t d) { return (b * c.T + t) * c.D + d; };
  const auto x = [&](size_t b, size_t t, size_t d) {
    return given.at("x")[c.from + (b * c.T + t) * (c.D + c.gap) + d];
  };
  for (size_t b = 0; b < c.B; ++b)
    for (size_t t = 0; t < c.T; ++t)
      for (size_t d = 0; d < c.D; ++d) {
        double sum = c.bias ? given.at("bias")[d] : 0;
        for (size_t j = 0; j < std::min(taps, t + 1); ++j)
          sum += given.at("weight")[j * c.D + d] * x(b, t - j, d);
        const auto [y, slope] = value_and_slope(c.activation, sum);
        all["y"][at(b, t, d)] = y;
        const double g = given.at("d_y")[c.from + at(b, t, d)] * slope;
        for (size_t j = 0; j < std::min(taps, t + 1); ++j) {
          all["d_x"][at(b, t - j, d)] += given.at("weight")[j * c.D + d] * g;
          all["sums"][j * c.D + d] += g * x(b, t - j, d);
        }
        all["sums"][taps * c.D + d] += g;
      }
  return all;
}

class ShortConvKernels : public testing::Test {
 protected:
  void SetUp() override {
    kernels_ = built_kernels("short_conv");
    if (kernels_ == nullptr) GTEST_SKIP() << "no CUDA toolkit when this was built";
  }

  // "sums" of all blocks are added.
  Judged by_judge(const ConvCase& c, const Named& given) const {
    JudgedDevice device(*kernels_, /*orders=*/2, {});
    const auto at = [&](void* base) {
      return static_cast<char*>(base) + (c.bfloat16 ? 2 : 4) * c.from;
    };
    const size_t count = c.B * c.T * c.D;
    ShortConvWork work{c.activation, c.bfloat16, c.taps, static_cast<long long>(c.B)};
    work.conv.steps = static_cast<int>(c.T);
    work.conv.row = static_cast<long long>(c.D + c.gap);
    work.conv.d = static_cast<int>(c.D);
    work.conv.x = at(device.put("x", given.at("x"), c.bfloat16));
    work.conv.weight = static_cast<float*>(device.put("weight", given.at("weight"), false));
    if (c.bias) work.conv.bias = static_cast<float*>(device.put("bias", given.at("bias"), false));
    ShortConvWork back = work;
    work.conv.y = at(device.result("y", c.from + count, c.bfloat16));
    back.conv.d_y = at(device.put("d_y", given.at("d_y"), c.bfloat16));
    back.conv.d_x = at(device.result("d_x", c.from + count, c.bfloat16));
    const auto blocks = static_cast<size_t>(short_conv_blocks(back)),
               columns = static_cast<size_t>(c.taps + 1) * c.D;
    back.conv.partial = static_cast<float*>(device.result("sums", blocks * columns, false));
    device.run({short_conv_forward_call(work), short_conv_backward_call(back)});
    Judged got = device.judged();
    for (const char* name : {"y", "d_x"}) {
      auto& values = got.values.at(name);
      values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(c.from));
    }
    auto& sums = got.values.at("sums");
    for (size_t n = columns; n < sums.size(); ++n) sums[n % columns] += sums[n];
    sums.resize(columns);
    return got;
  }

  Judged check(const ConvCase& c) const {
    const Named given = random_conv(c);
    Judged got = by_judge(c, given);
    expect_right(
        got, by_definition(c, given),
        [&](const std::string& name) { return c.bfloat16 && name != "sums" ? 0x1p-8 : 2e-6; },
        what(c));
    return got;
  }

  const Kernels* kernels_ = nullptr;
};

}  // namespace

// 132 channels need a second block. Of 4 channels, each thread of a block computes 32 steps, so
// 8192 steps fill it.
TEST_F(ShortConvKernels, AreRightForEveryLength) {
  for (const size_t T : {1u, 2u, 3u, 4u, 5u, 31u, 32u, 33u, 35u, 36u, 255u, 256u, 260u, 515u})
    check({.T = T, .D = 132});
  for (const size_t T : {1u, 63u, 64u, 8192u, 8193u}) check({.B = 1, .T = T, .D = 4});
}

TEST_F(ShortConvKernels, AreRightForEveryWidth) {
  for (const size_t D : {1u, 2u, 3u, 5u, 31u, 33u}) check({.B = 3, .D = D});
  for (const size_t D : {4u, 12u, 64u, 128u, 260u}) check({.B = 3, .D = D, .bfloat16 = true});
}

TEST_F(ShortConvKernels, AreRightForEveryNumberOfTapsAndActivation) {
  for (const size_t T : {1u, 3u, 7u, 70u}) {
    check({.activation = kIdentity, .taps = 1, .T = T});
    check({.activation = kIdentity, .taps = 2, .T = T, .bias = false});
    check({.activation = kSigmoid, .taps = 3, .T = T, .bfloat16 = true});
    check({.taps = 8, .T = T, .D = 6});
  }
}

// Parts of rows, and tensors that begin anywhere.
TEST_F(ShortConvKernels, TakeRowsWithGaps) {
  for (const bool bfloat16 : {false, true})
    for (const size_t gap : {0u, 1u, 4u, 12u})
      for (const size_t from : {0u, 1u, 4u}) {
        const Judged got = check({.bfloat16 = bfloat16, .gap = gap, .from = from});
        for (const auto& [kernel, counts] : got.counts)
          EXPECT_TRUE(kernel.ends_with(gap % 4 == 0 && from % 4 == 0 ? "_4" : "_1")) << kernel;
      }
}

// A thread reads the rows before and behind its steps, and weight and bias.
TEST_F(ShortConvKernels, MoveNoMoreThanTheAlgorithm) {
  for (const bool bfloat16 : {false, true}) {
    const ConvCase c{.B = 1, .T = 512, .D = 128, .bfloat16 = bfloat16};
    const double numbers = 512 * 128 * (bfloat16 ? 2 : 4), strips = 512 / kConvSteps,
                 sums = 2.0 * 5 * 128 * 4;  // of two blocks
    for (const auto& [kernel, counts] : check(c).counts) {
      const bool forward = kernel.starts_with("short_conv_forward");
      EXPECT_LE(32.0 * static_cast<double>(counts.global_read.used),
                (forward ? 1.1 : 2.35) * numbers + strips * 8 * 128 * 4)
          << kernel;
      EXPECT_LE(32.0 * static_cast<double>(counts.global_write.used),
                numbers + (forward ? 0 : sums))
          << kernel;
    }
  }
}

// A NaN reaches its own step and the three after it, in its own channel.
TEST_F(ShortConvKernels, ShowNaN) {
  const ConvCase c{.B = 1, .T = 40, .D = 4};
  Named given = random_conv(c);
  given["x"][10 * 4 + 1] = std::nan("");
  const Judged got = by_judge(c, given);
  for (size_t t = 0; t < c.T; ++t)
    for (size_t d = 0; d < c.D; ++d)
      EXPECT_EQ(std::isnan(got.values.at("y")[t * 4 + d]), d == 1 && t >= 10 && t < 14);
}

}  // namespace lcsm::test
