// The kernels against the sum as it is written, and backward as its adjoint.
#include "lcsm/cpu/short_conv_cpu.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/lcsm/cpu/random_values.h"

namespace lcsm {
namespace {

double product(const Values& a, const Values& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

struct Problem {
  std::int64_t steps, d, taps;
  Values x = random_values(steps * d, 1), before = random_values((taps - 1) * d, 2),
         weight = random_values(taps * d, 3), bias = random_values(d, 4),
         d_y = random_values(steps * d, 5);

  ShortConv<double> conv() const {
    ShortConv<double> conv{.steps = steps, .d = d, .taps = taps};
    conv.x = x.data();
    conv.before = before.data();
    conv.weight = weight.data();
    conv.bias = bias.data();
    conv.d_y = d_y.data();
    return conv;
  }

  double written(std::int64_t t, std::int64_t c) const {
    double sum = bias[static_cast<std::size_t>(c)];
    for (std::int64_t j = 0; j < taps; ++j) {
      const std::int64_t row = t - j;
      sum += weight[static_cast<std::size_t>(j * d + c)] *
             (row < 0 ? before[static_cast<std::size_t>((taps - 1 + row) * d + c)]
                      : x[static_cast<std::size_t>(row * d + c)]);
    }
    return sum;
  }
};

const std::vector<Problem>& problems() {
  static const std::vector<Problem> all = {{1, 3, 1}, {2, 9, 4}, {5, 16, 3}, {150, 21, 7}};
  return all;
}

TEST(ShortConvCpu, IsTheSumOverItsTaps) {
  for (const Problem& p : problems()) {
    Values y(p.x.size());
    ShortConv<double> conv = p.conv();
    conv.y = y.data();
    short_conv_kernels<double>().forward(conv);
    for (std::int64_t t = 0; t < p.steps; ++t)
      for (std::int64_t c = 0; c < p.d; ++c)
        EXPECT_NEAR(y[static_cast<std::size_t>(t * p.d + c)], p.written(t, c), 1e-12);
  }
}

// y is linear in (x, before) and in (weight, bias): both products with d_y are equal.
TEST(ShortConvCpu, GoesBackByItsAdjoint) {
  for (const Problem& p : problems()) {
    Values y(p.x.size()), d_x(p.x.size()), d_before(p.before.size()), d_weight(p.weight.size(), 7),
        d_bias(p.bias.size(), 7);
    ShortConv<double> conv = p.conv();
    conv.y = y.data();
    conv.d_x = d_x.data();
    conv.d_before = d_before.data();
    conv.d_weight = d_weight.data();
    conv.d_bias = d_bias.data();
    short_conv_kernels<double>().forward(conv);
    short_conv_kernels<double>().backward(conv);
    const double whole = product(p.d_y, y);
    EXPECT_NEAR(product(d_weight, p.weight) + product(d_bias, p.bias), whole, 1e-10);
    EXPECT_NEAR(product(d_x, p.x) + product(d_before, p.before) + product(d_bias, p.bias), whole,
                1e-10);
  }
}

}  // namespace
}  // namespace lcsm
