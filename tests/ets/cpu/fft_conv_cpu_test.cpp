// The loops against plain sums. The program runs with several sets of vectors.
#include "ets/cpu/fft_conv_cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "lcsm/base/random.h"

namespace ets {
namespace {

template <class T>
class FftConvCpu : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(FftConvCpu, Types);

std::size_t index(std::int64_t n) { return static_cast<std::size_t>(n); }

template <class T>
std::vector<T> drawn(std::int64_t count, std::uint64_t seed) {
  lcsm::Random random(seed);
  std::vector<T> values(index(count));
  for (T& value : values) value = static_cast<T>(random.normal());
  return values;
}

// Arrays of a convolution, and the definition's results: every product of an input, a tap and an
// output's gradient.
template <class T>
struct Example {
  Example(std::int64_t B_, std::int64_t length, std::int64_t D, std::int64_t K,
          std::int64_t directions, std::int64_t lag)
      : B(B_), plan(length) {
    const std::int64_t rows = B * length * D, taps = directions * D * K;
    x = drawn<T>(rows, 1), d_y = drawn<T>(rows, 2), kernel = drawn<T>(taps, 3);
    y.resize(index(rows)), d_x.resize(index(rows)), d_kernel.resize(index(taps));
    conv = {.plan = &plan,
            .length = length,
            .D = D,
            .K = K,
            .directions = directions,
            .lag = lag,
            .group = fft_group<T>(plan.n, D, 2),
            .kernel = kernel.data(),
            .x = x.data(),
            .y = y.data(),
            .d_y = d_y.data(),
            .d_x = d_x.data(),
            .d_kernel = d_kernel.data()};
  }

  void run() {
    const FftConvKernels<T>& kernels = fft_conv_kernels<T>();
    FftSpace<T> space;
    for (std::int64_t channel = 0; channel < conv.D; channel += conv.group) {
      kernels.forward(conv, channel, 0, B, &space);
      kernels.backward(conv, channel, 0, B, &space);
    }
  }

  void define() {
    wanted_y.assign(y.size(), 0), wanted_d_x.assign(y.size(), 0);
    wanted_d_kernel.assign(kernel.size(), 0);
    for (std::int64_t g = 0; g < conv.directions; ++g)
      for (std::int64_t d = 0; d < conv.D; ++d)
        for (std::int64_t j = 0; j < conv.K; ++j)
          for (std::int64_t row = 0; row < B * conv.length; ++row) {
            const std::int64_t t = row % conv.length;
            const std::int64_t from = g == 0 ? t - j : t + j + conv.lag;
            if (from < 0 || from >= conv.length) continue;
            const std::size_t out = index(row * conv.D + d),
                              in = index((row - t + from) * conv.D + d),
                              tap = index((g * conv.D + d) * conv.K + j);
            wanted_y[out] += double{kernel[tap]} * x[in];
            wanted_d_x[in] += double{kernel[tap]} * d_y[out];
            wanted_d_kernel[tap] += double{x[in]} * d_y[out];
          }
  }

  const std::int64_t B;
  const FftPlan<T> plan;
  std::vector<T> x, d_y, kernel, y, d_x, d_kernel;
  std::vector<double> wanted_y, wanted_d_x, wanted_d_kernel;
  FftConv<T> conv;
};

template <class T>
void expect_close(const std::vector<T>& got, const std::vector<double>& wanted) {
  double scale = 1e-300, off = 0;
  for (std::size_t n = 0; n < got.size(); ++n) {
    scale = std::max(scale, std::abs(wanted[n]));
    off = std::max(off, std::abs(got[n] - wanted[n]));
  }
  // A transform rounds each of its dozen steps once.
  constexpr double kBound = std::is_same_v<T, float> ? 2e-6 : 4e-15;
  EXPECT_LE(off / scale, kBound);
}

}  // namespace

// Threads come before wide groups, and the caches before them.
TYPED_TEST(FftConvCpu, HasGroupsOfWholeLines) {
  constexpr std::int64_t kLine = 64 / sizeof(TypeParam);
  EXPECT_EQ(fft_group<TypeParam>(4096, 512, 1), 8 * kLine);
  EXPECT_EQ(fft_group<TypeParam>(64, 512, 1), 8 * kLine);
  EXPECT_EQ(fft_group<TypeParam>(8192, 512, 1), 4 * kLine);
  EXPECT_EQ(fft_group<TypeParam>(1 << 20, 512, 1), kLine);
  EXPECT_EQ(fft_group<TypeParam>(4096, 8 * kLine, 4), 2 * kLine);
  EXPECT_EQ(fft_group<TypeParam>(4096, 8 * kLine, 3), 2 * kLine);
  EXPECT_EQ(fft_group<TypeParam>(4096, 1, 64), kLine);
}

// Lengths for leaves of 3, 4, 6 and 8 points; channels that fill no vector, one and several;
// kernels of one step, and all that reach from end to end.
TYPED_TEST(FftConvCpu, IsTheSumOverLags) {
  for (const std::int64_t length : {1, 2, 12, 13, 16, 23, 24, 32, 33, 48, 64, 65, 96, 150})
    for (const std::int64_t D : {1, 8, 19, 32})
      for (const std::int64_t directions : {1, 2})
        for (const std::int64_t K : {std::int64_t{1}, (length + 1) / 2, length}) {
          const std::int64_t B = 1 + D % 3, lag = (length + D + K) % 2;
          SCOPED_TRACE(testing::Message() << "B " << B << " T " << length << " D " << D << " K "
                                          << K << " G " << directions << " lag " << lag);
          Example<TypeParam> e(B, length, D, K, directions, lag);
          e.run();
          e.define();
          expect_close(e.y, e.wanted_y);
          expect_close(e.d_x, e.wanted_d_x);
          expect_close(e.d_kernel, e.wanted_d_kernel);
        }
}

}  // namespace ets
