// The kernels against the fraction of sums, and backward against differences.
#include "lcsm/cpu/wkv_cpu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/lcsm/cpu/random_values.h"

namespace lcsm {
namespace {

struct Problem {
  std::int64_t steps, d;
  Values k = random_values(steps * d, 1), v = random_values(steps * d, 2), w = random_values(d, 3),
         u = random_values(d, 4), d_y = random_values(steps * d, 5);
  Values mean = Values(k.size()), sum = Values(k.size()), y = Values(k.size());

  Wkv<double> wkv() {
    Wkv<double> wkv{.steps = steps, .d = d};
    wkv.k = k.data();
    wkv.v = v.data();
    wkv.w = w.data();
    wkv.u = u.data();
    wkv.mean = mean.data();
    wkv.sum = sum.data();
    wkv.y = y.data();
    wkv.d_y = d_y.data();
    return wkv;
  }

  double written(std::int64_t t, std::int64_t c) const {
    const auto at = [&](const Values& rows, std::int64_t i) {
      return rows[static_cast<std::size_t>(i * d + c)];
    };
    double above = 0, below = 0;
    for (std::int64_t i = 0; i <= t; ++i) {
      const double weight = i == t ? std::exp(at(u, 0) + at(k, t))
                                   : std::exp(at(k, i) - static_cast<double>(t - 1 - i) * at(w, 0));
      above += weight * at(v, i);
      below += weight;
    }
    return above / below;
  }

  double objective() {
    const Wkv<double> all = wkv();
    wkv_kernels<double>().forward(all);
    double total = 0;
    for (std::size_t n = 0; n < y.size(); ++n) total += d_y[n] * y[n];
    return total;
  }
};

TEST(WkvCpu, IsTheFractionOfSums) {
  for (const auto& [steps, d] : {std::pair{1, 3}, {7, 8}, {20, 21}}) {
    Problem p{steps, d};
    p.objective();
    for (std::int64_t t = 0; t < steps; ++t)
      for (std::int64_t c = 0; c < d; ++c)
        EXPECT_NEAR(p.y[static_cast<std::size_t>(t * d + c)], p.written(t, c), 1e-11);
  }
}

TEST(WkvCpu, GoesBackAsDifferencesSay) {
  Problem p{9, 5};
  p.objective();
  Values none(5), d_k(p.k.size()), d_v(p.v.size()), d_w(5), d_u(5), d_mean(5), d_sum(5);
  Wkv<double> all = p.wkv();
  all.d_mean = all.d_sum = none.data();
  all.d_k = d_k.data();
  all.d_v = d_v.data();
  all.d_w = d_w.data();
  all.d_u = d_u.data();
  all.d_first_mean = d_mean.data();
  all.d_first_sum = d_sum.data();
  wkv_kernels<double>().backward(all);
  const auto expect_slopes = [&](Values& of, const Values& gradient) {
    constexpr double kStep = 1e-5;
    for (std::size_t n = 0; n < of.size(); ++n) {
      const double here = of[n];
      of[n] = here + kStep;
      const double more = p.objective();
      of[n] = here - kStep;
      const double less = p.objective();
      of[n] = here;
      EXPECT_NEAR(gradient[n], (more - less) / (2 * kStep), 1e-8);
    }
  };
  expect_slopes(p.k, d_k);
  expect_slopes(p.v, d_v);
  expect_slopes(p.w, d_w);
  expect_slopes(p.u, d_u);
}

}  // namespace
}  // namespace lcsm
