// The loops against complex numbers one by one. The program runs with several sets of vectors.
#include "ets/cpu/shared_scan_cpu.h"

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
class SharedScanCpu : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(SharedScanCpu, Types);

using Number = std::complex<double>;

template <class V>
std::vector<V> drawn(std::int64_t count, std::uint64_t seed) {
  lcsm::Random random(seed);
  std::vector<V> values(static_cast<std::size_t>(count));
  for (V& value : values) value = static_cast<V>(random.normal());
  return values;
}

template <class T>
struct Example {
  Example(std::int64_t length, std::int64_t M, bool back, bool continues)
      : u(drawn<T>(length * 2 * M, 1)),
        d_h(drawn<T>(length * 2 * M, 2)),
        h(u.size()),
        d_u(u.size()),
        q(drawn<double>(2 * M, 3)),
        first(drawn<double>(2 * M, 4)),
        d_q(q.size()),
        d_first(q.size()),
        wanted(u.size()),
        wanted_d_u(u.size()),
        wanted_d_q(q.size()),
        wanted_d_first(q.size()) {
    for (double& part : q) part *= 0.3;
    s = {.length = length, .M = M, .back = back, .q = q.data(), .u = u.data()};
    s.h = h.data(), s.d_h = d_h.data(), s.d_u = d_u.data(), s.d_q = d_q.data();
    if (continues) s.first = first.data(), s.d_first = d_first.data();
  }

  template <class V>
  Number at(const std::vector<V>& parts, std::int64_t t, std::int64_t m) const {
    const auto n = static_cast<std::size_t>(t * 2 * s.M + m);
    return {parts[n], parts[n + static_cast<std::size_t>(s.M)]};
  }
  void put(Number z, std::int64_t t, std::int64_t m, std::vector<double>* parts) const {
    const auto n = static_cast<std::size_t>(t * 2 * s.M + m);
    (*parts)[n] = z.real(), (*parts)[n + static_cast<std::size_t>(s.M)] = z.imag();
  }

  void define() {
    for (std::int64_t m = 0; m < s.M; ++m) {
      const Number decay = at(q, 0, m);
      std::vector<Number> path = {s.first ? at(first, 0, m) : 0};
      const auto time = [&](std::int64_t n) { return s.back ? s.length - 1 - n : n; };
      for (std::int64_t n = 0; n < s.length; ++n) {
        path.push_back(decay * path.back() + at(u, time(n), m));
        put(path.back(), time(n), m, &wanted);
      }
      Number g = 0, sum = 0;
      for (std::int64_t n = s.length - 1; n >= 0; --n) {
        g = std::conj(decay) * g + at(d_h, time(n), m);
        put(g, time(n), m, &wanted_d_u);
        sum += g * std::conj(path[static_cast<std::size_t>(n)]);
      }
      put(sum, 0, m, &wanted_d_q);
      if (s.first) put(std::conj(decay) * g, 0, m, &wanted_d_first);
    }
  }

  std::vector<T> u, d_h, h, d_u;
  std::vector<double> q, first, d_q, d_first;
  std::vector<double> wanted, wanted_d_u, wanted_d_q, wanted_d_first;
  SharedScan<T> s;
};

template <class V>
void expect_close(const std::vector<V>& got, const std::vector<double>& wanted, double bound) {
  double scale = 1e-300, off = 0;
  for (std::size_t n = 0; n < got.size(); ++n) {
    scale = std::max(scale, std::abs(wanted[n]));
    off = std::max(off, std::abs(got[n] - wanted[n]));
  }
  EXPECT_LE(off / scale, bound);
}

}  // namespace

// Modes that fill no vector, one, and several; both ways; cut into two groups.
TYPED_TEST(SharedScanCpu, IsTheRecurrence) {
  // The state is float64; the stored h is rounded to the type.
  const double bound = std::is_same_v<TypeParam, float> ? 1e-7 : 1e-14;
  for (const std::int64_t M : {1, 3, 8, 9, 37, 70})
    for (const std::int64_t length : {1, 2, 7, 64})
      for (const bool back : {false, true}) {
        SCOPED_TRACE(testing::Message() << "T " << length << " M " << M << (back ? " back" : ""));
        Example<TypeParam> e(length, M, back, (M + length) % 2 == 0);
        const auto& kernels = shared_scan_kernels<TypeParam>();
        kernels.forward(e.s, 0, M / 2);
        kernels.forward(e.s, M / 2, M);
        kernels.backward(e.s, 0, M / 2);
        kernels.backward(e.s, M / 2, M);
        e.define();
        expect_close(e.h, e.wanted, bound);
        expect_close(e.d_u, e.wanted_d_u, bound);
        expect_close(e.d_q, e.wanted_d_q, 3 * bound);  // sums of products with h as stored
        expect_close(e.d_first, e.wanted_d_first, bound);
      }
}

}  // namespace ets
