// The loops against quotients of complex numbers. The program runs with several sets of vectors.
#include "ets/cpu/cauchy_cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <type_traits>
#include <vector>

#include "lcsm/base/random.h"

namespace ets {
namespace {

template <class T>
class CauchyCpu : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(CauchyCpu, Types);

using Number = std::complex<double>;
using Values = std::vector<double>;

template <class T>
struct Example {
  static constexpr std::int64_t kChannels = 2;

  Example(std::int64_t sums, std::int64_t M, std::int64_t length) {
    lcsm::Random random(static_cast<std::uint64_t>(M + length));
    for (std::int64_t n = 0; n < kChannels * M; ++n) {
      rates.emplace_back(-0.1 - random.uniform(), 3 * random.normal());
      real.push_back(rates.back().real());
      square.push_back(std::norm(rates.back()));
    }
    for (std::int64_t n = 0; n < sums * kChannels * M; ++n) {
      v.emplace_back(random.normal(), random.normal());
      v_real.push_back(v.back().real());
      v_rate.push_back(
          (v.back() * std::conj(rates[static_cast<std::size_t>(n) % rates.size()])).real());
    }
    c = {.M = M, .D = kChannels, .length = length, .sums = sums};
    for (std::int64_t n = 0; n < sums * kChannels * c.nodes() * 2; ++n)
      d_r.push_back(static_cast<T>(random.normal()));
    r.resize(d_r.size());
    d_real.resize(real.size()), d_square.resize(real.size());
    d_v_real.resize(v.size()), d_v_rate.resize(v.size());
    c.real = real.data(), c.square = square.data(), c.v_real = v_real.data(),
    c.v_rate = v_rate.data();
    c.r = r.data(), c.d_r = d_r.data();
    c.d_real = d_real.data(), c.d_square = d_square.data();
    c.d_v_real = d_v_real.data(), c.d_v_rate = d_v_rate.data();
  }

  Number node(std::int64_t k) const {
    return std::polar(
        1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(c.length));
  }

  Values defined() const {
    Values all;
    for (std::int64_t row = 0; row < c.sums * kChannels; ++row)
      for (std::int64_t k = 0; k < c.nodes(); ++k) {
        Number sum = 0;
        const Number w = node(k);
        for (std::int64_t m = 0; m < c.M; ++m) {
          const Number rate = rates[static_cast<std::size_t>(row % kChannels * c.M + m)],
                       x = v[static_cast<std::size_t>(row * c.M + m)];
          sum += x / (2.0 * (1.0 - w) - (1.0 + w) * rate) +
                 std::conj(x) / (2.0 * (1.0 - w) - (1.0 + w) * std::conj(rate));
        }
        all.push_back(sum.real());
        all.push_back(sum.imag());
      }
    return all;
  }

  std::vector<Number> rates, v;
  Values real, square, v_real, v_rate, d_real, d_square, d_v_real, d_v_rate;
  std::vector<T> r, d_r;
  Cauchy<T> c;
};

void run(const Example<float>& e) { cauchy_kernels<float>().forward(e.c, 0, e.kChannels); }
void run(const Example<double>& e) { cauchy_kernels<double>().forward(e.c, 0, e.kChannels); }

}  // namespace

// Lengths whose nodes fill no vector, several, and more than a chunk; odd and even (w = -1).
TYPED_TEST(CauchyCpu, IsTheSumOfQuotients) {
  for (const std::int64_t sums : {4, 6})
    for (const std::int64_t length : {1, 2, 3, 7, 64, 65, 1000})
      for (const std::int64_t M : {1, 5}) {
        SCOPED_TRACE(testing::Message() << "length " << length << " M " << M);
        Example<TypeParam> e(sums, M, length);
        run(e);
        const Values expected = e.defined();
        double scale = 0, off = 0;
        for (std::size_t n = 0; n < expected.size(); ++n) {
          scale = std::max(scale, std::abs(expected[n]));
          off = std::max(off, std::abs(e.r[n] - expected[n]));
        }
        // Rounding of the result's type, and a few of float64 beside nearly singular nodes.
        EXPECT_LE(off / scale, (std::is_same_v<TypeParam, float> ? 1e-7 : 1e-13));
      }
}

// Uses central differences in float64: every input enters polynomials of low degree and a
// reciprocal, so steps of 1e-5 leave errors of 1e-9.
TEST(CauchyGradient, IsThatOfTheSums) {
  for (const std::int64_t length : {2, 7, 64, 600}) {
    Example<double> e(4, 3, length);
    cauchy_kernels<double>().backward(e.c, 0, e.kChannels);
    const auto check = [&](Values& values, const Values& gradient) {
      for (std::size_t n = 0; n < values.size(); ++n) {
        const double before = values[n], h = 1e-5;
        double difference = 0;
        for (const double sign : {1.0, -1.0}) {
          values[n] = before + sign * h;
          run(e);
          for (std::size_t i = 0; i < e.r.size(); ++i) difference += sign * e.r[i] * e.d_r[i];
        }
        values[n] = before;
        EXPECT_NEAR(difference / (2 * h), gradient[n], 1e-7 * (1 + std::abs(gradient[n])))
            << length;
      }
    };
    check(e.real, e.d_real);
    check(e.square, e.d_square);
    check(e.v_real, e.d_v_real);
    check(e.v_rate, e.d_v_rate);
  }
}

}  // namespace ets
