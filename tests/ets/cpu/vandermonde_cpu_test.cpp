// The loops against separate exponentials for every step. The program runs with several sets of
// vectors.
#include "ets/cpu/vandermonde_cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <type_traits>
#include <vector>

#include "lcsm/base/random.h"

namespace ets {
namespace {

template <class T>
class VandermondeCpu : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(VandermondeCpu, Types);

using Values = std::vector<double>;
using Number = std::complex<double>;

enum class Kind : std::uint8_t { kReal, kTurning, kWeighted, kGrowing };

// Rows of modes, and the definition's results for them.
template <class T>
struct Example {
  static constexpr std::int64_t kRows = 3;

  Example(std::int64_t M, std::int64_t length, Kind kind) {
    lcsm::Random random(static_cast<std::uint64_t>(M * length));
    const auto n = static_cast<std::size_t>(kRows * M);
    for (std::size_t i = 0; i < n; ++i) {
      const bool grows = kind == Kind::kGrowing && i % 2 == 0;
      log_decay.push_back((grows ? 1 : -1) * 0.1 * random.uniform());
      angle.push_back(3 * random.normal());
      weight.push_back(random.normal());
      weight_imag.push_back(random.normal());
      origin.push_back(grows ? static_cast<double>(length - 1) : 0);
    }
    for (std::int64_t i = 0; i < kRows * length; ++i)
      d_kernel.push_back(static_cast<T>(random.normal()));
    kernel.resize(d_kernel.size());
    for (Values& d : gradients) d.assign(n, 0);
    v.M = M, v.length = length;
    v.log_decay = log_decay.data(), v.weight = weight.data();
    v.kernel = kernel.data(), v.d_kernel = d_kernel.data();
    v.d_log_decay = gradients[0].data(), v.d_weight = gradients[1].data();
    if (kind == Kind::kReal) return;
    v.angle = angle.data(), v.d_angle = gradients[2].data();
    if (kind == Kind::kTurning) return;
    v.weight_imag = weight_imag.data(), v.d_weight_imag = gradients[3].data();
    if (kind == Kind::kGrowing) v.origin = origin.data();
  }

  void define() {
    expected.assign(kernel.size(), 0);
    for (Values& d : expected_gradients) d.assign(weight.size(), 0);
    for (std::size_t n = 0; n < weight.size(); ++n)
      for (std::int64_t t = 0; t < v.length; ++t) {
        const auto at = n / static_cast<std::size_t>(v.M) * static_cast<std::size_t>(v.length) +
                        static_cast<std::size_t>(t);
        const double since = static_cast<double>(t) - (v.origin ? origin[n] : 0);
        const Number e = std::exp(since * Number(log_decay[n], v.angle ? angle[n] : 0)),
                     w = {weight[n], v.weight_imag ? weight_imag[n] : 0};
        expected[at] += (w * e).real();
        const double d = d_kernel[at];
        expected_gradients[0][n] += d * since * (w * e).real();
        expected_gradients[1][n] += d * e.real();
        if (v.angle) expected_gradients[2][n] -= d * since * (w * e).imag();
        if (v.weight_imag) expected_gradients[3][n] -= d * e.imag();
      }
  }

  Values log_decay, angle, weight, weight_imag, origin, gradients[4], expected_gradients[4],
      expected;
  std::vector<T> kernel, d_kernel;
  Vandermonde<T> v;
};

template <class T>
void expect_close(const std::vector<T>& got, const Values& wanted, double bound) {
  double scale = 1e-300, off = 0;
  for (std::size_t n = 0; n < got.size(); ++n) {
    scale = std::max(scale, std::abs(wanted[n]));
    off = std::max(off, std::abs(got[n] - wanted[n]));
  }
  EXPECT_LE(off / scale, bound);
}

}  // namespace

// Lengths around blocks and around the exact exponentials, 1024 steps apart; angles of up to 3
// turns in 2 steps.
TYPED_TEST(VandermondeCpu, IsTheSumOfExponentials) {
  for (const Kind kind : {Kind::kReal, Kind::kTurning, Kind::kWeighted, Kind::kGrowing})
    for (const std::int64_t length : {1, 2, 7, 63, 64, 65, 257, 1000, 1100})
      for (const std::int64_t M : {1, 2, 5}) {
        SCOPED_TRACE(testing::Message()
                     << "T " << length << " M " << M << " kind " << static_cast<int>(kind));
        Example<TypeParam> e(M, length, kind);
        vandermonde_kernels<TypeParam>().forward(e.v, 0, 1);
        vandermonde_kernels<TypeParam>().forward(e.v, 1, e.kRows);
        vandermonde_kernels<TypeParam>().backward(e.v, 0, e.kRows);
        e.define();
        // A phase of 1000 steps of 10 rad is known to 1e-12; the kernel is rounded to its type.
        expect_close(e.kernel, e.expected, std::is_same_v<TypeParam, float> ? 1e-7 : 3e-12);
        for (int n = 0; n < 4; ++n) expect_close(e.gradients[n], e.expected_gradients[n], 3e-12);
      }
}

// At step 100 000 a phase has turned 50 000 times; the tolerance is one rounding of the angle's
// product.
TYPED_TEST(VandermondeCpu, KeepsItsPhase) {
  Example<TypeParam> e(1, 100001, Kind::kTurning);
  e.log_decay.assign(e.log_decay.size(), 0);
  e.angle.assign(e.angle.size(), 3.1);
  vandermonde_kernels<TypeParam>().forward(e.v, 0, 1);
  const double scale = std::abs(e.weight[0]);
  for (std::int64_t t = 0; t <= 100000; t += 99) {
    const double exact = e.weight[0] * std::cos(3.1 * static_cast<double>(t));
    ASSERT_NEAR(e.kernel[static_cast<std::size_t>(t)], exact,
                (std::is_same_v<TypeParam, float> ? 1e-7 : 1e-10) * scale)
        << t;
  }
}

}  // namespace ets
