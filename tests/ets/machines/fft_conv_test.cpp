#include "ets/machines/fft_conv.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "ets/machines/machines.h"
#include "lcsm/measure/peak_memory.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace ets {
namespace {

using at::Tensor;

struct Example {
  Tensor x, taps, d;
};

Example example_of_fft_conv(std::int64_t B, std::int64_t T, std::int64_t D, std::int64_t G,
                            std::int64_t K, at::ScalarType dtype = at::kDouble) {
  const auto drawn = [&](std::int64_t a, std::int64_t b, std::int64_t c, std::uint64_t seed) {
    return lcsm::random_input(a, b, c, seed).to(dtype);
  };
  return {drawn(B, T, D, 1).requires_grad_(), drawn(G, D, K, 2).requires_grad_(),
          drawn(B, T, D, 3)};
}

std::vector<Tensor> fft_conv_results(const Example& e, const Tensor& y) {
  std::vector<Tensor> all = torch::autograd::grad({y}, {e.x, e.taps}, {e.d});
  all.push_back(y.detach());
  return all;
}

}  // namespace

// Few channels and many sequences are shared among threads by sequences.
TEST(FftConvolution, IsTheDoubleSumForAnyNumberOfThreads) {
  for (const int threads : {1, 3})
    for (const std::int64_t G : {1, 2})
      for (const std::int64_t lag : {0, 1}) {
        const lcsm::Threads some(threads);
        const Example e = example_of_fft_conv(7, 65, 3, G, 40);
        Filter filter;
        filter.kernel = Taps{e.taps};
        filter.backward_lag = lag;
        const auto got = fft_conv_results(e, fft_convolution(e.x, e.taps, lag)),
                   wanted = fft_conv_results(e, filtered_reference(filter, e.x).y);
        for (std::size_t n = 0; n < 3; ++n)
          EXPECT_LE(relative_error(got[n], wanted[n]), 1e-13) << n;  // a few roundings
      }
}

// Checks both directions over 16384 steps by plain loops, and gradients by the identities of a
// bilinear function: <d, y> = <d_x, x> = <d_taps, taps>.
TEST(FftConvolution, IsTheDoubleSumOfALongSequence) {
  constexpr std::int64_t T = 16384;
  const Example e = example_of_fft_conv(1, T, 1, 2, T);
  const std::vector<Tensor> got = fft_conv_results(e, fft_convolution(e.x, e.taps, 1));
  const double *x = e.x.const_data_ptr<double>(), *k = e.taps.const_data_ptr<double>(),
               *y = got[2].const_data_ptr<double>();
  for (std::int64_t t = 0; t < T; t += 61) {  // every 61st step
    double sum = 0;
    for (std::int64_t j = 0; j <= t; ++j) sum += k[j] * x[t - j];
    for (std::int64_t j = 0; t + j + 1 < T; ++j) sum += k[T + j] * x[t + j + 1];
    ASSERT_NEAR(y[t], sum, 1e-11) << t;  // sums of 16384 products of about 1, a size of 128
  }
  const double product = (e.d * got[2]).sum().item<double>();
  EXPECT_NEAR((got[0] * e.x).sum().item<double>(), product, 1e-9);
  EXPECT_NEAR((got[1] * e.taps).sum().item<double>(), product, 1e-9);
}

TEST(FftConvolution, GivesTheSameBitsAgain) {
  const lcsm::Threads two(2);
  const Example e = example_of_fft_conv(4, 100, 5, 2, 100, at::kFloat);
  const auto once = fft_conv_results(e, fft_convolution(e.x, e.taps, 1)),
             again = fft_conv_results(e, fft_convolution(e.x, e.taps, 1));
  for (std::size_t n = 0; n < 3; ++n) EXPECT_TRUE(at::equal(once[n], again[n]));
}

// Room for y, the gradient of x, and autograd's copies of small tensors; the standard method stores
// four spectra of twice the length.
TEST(FftConvolution, KeepsNoSpectra) {
  const lcsm::Threads two(2);
  const Example e = example_of_fft_conv(4, 4096, 64, 1, 4096, at::kFloat);
  const lcsm::PeakMemory memory;
  fft_conv_results(e, fft_convolution(e.x, e.taps, 0));
  EXPECT_LE(static_cast<double>(memory.peak()), 2.6 * static_cast<double>(e.x.nbytes()));
}

}  // namespace ets
