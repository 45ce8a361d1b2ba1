// The kernels against computations of another kind: plain loops over complex numbers, dense
// matrices, explicit normalization.
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/real.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "ets/families/s4.h"
#include "tests/ets/layer/family_cases.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace ets {
namespace {

using at::Tensor;
using Number = std::complex<double>;

// Includes a length at which phases have turned thousands of times.
constexpr std::array<std::int64_t, 8> kOracleLengths = {1, 2, 7, 63, 64, 65, 1000, 16384};

double at3(const Tensor& x, std::int64_t a, std::int64_t b, std::int64_t c) {
  return x[a][b][c].item<double>();
}
Number pair(const Tensor& x, std::int64_t g, std::int64_t d) {
  return {at3(x, g, d, 0), at3(x, g, d, 1)};
}

// Rows of [.., T] from the recurrence h = q h + w in, Re h, for one input.
std::vector<double> smoothed(Number q, Number w, const std::vector<double>& in) {
  std::vector<double> out;
  Number h = 0;
  for (const double x : in) {
    h = q * h + w * x;
    out.push_back(h.real());
  }
  return out;
}

std::vector<double> column(const Tensor& x, std::int64_t d) {  // [1, T, D]
  std::vector<double> values;
  for (std::int64_t t = 0; t < x.size(1); ++t) values.push_back(at3(x, 0, t, d));
  return values;
}

void expect_column(const Tensor& y, std::int64_t d, const std::vector<double>& expected) {
  double scale = 1e-300, off = 0;
  for (std::size_t t = 0; t < expected.size(); ++t) {
    scale = std::max(scale, std::abs(expected[t]));
    off = std::max(off, std::abs(at3(y, 0, static_cast<std::int64_t>(t), d) - expected[t]));
  }
  EXPECT_LE(off / scale, 1e-11) << "channel " << d;  // sums of 16384 terms in another order
}

// The matrix exponential by its series, after ten halvings: 20 terms leave no error in float64.
Tensor exponential(const Tensor& matrix) {
  Tensor term = at::eye(matrix.size(0), matrix.options()), sum = term;
  for (int n = 1; n <= 20; ++n) sum = sum + (term = at::mm(term, matrix / 1024) / n);
  for (int n = 0; n < 10; ++n) sum = at::mm(sum, sum);
  return sum;
}

}  // namespace

TEST(Oracles, CesIsTheRecurrence) {
  const lcsm::Block v = FamilyCase{"ces", {"skip=false", "max_lambda=0.99"}}.variant(3);
  for (const std::int64_t T : kOracleLengths) {
    const lcsm::Weights w = weights_of(v);
    const Tensor x = lcsm::random_input(1, T, 3, 2), y = layer_forward(v, w, x).output;
    for (std::int64_t d = 0; d < 3; ++d) {
      const Number a = pair(w.at("log_step"), 0, d);
      Number q =
          std::exp(pair(w.at("log_rate"), 0, d)) * Number(std::exp(a.real()), std::exp(a.imag()));
      if (std::abs(std::exp(q)) > 0.99) q.real(std::log(0.99));
      const Number weight = std::exp(pair(w.at("log_expand"), 0, d)) * (1.0 - std::exp(q));
      expect_column(y, d, smoothed(std::exp(q), weight, column(x, d)));
    }
  }
}

TEST(Oracles, EmaIsTheRecurrence) {
  const lcsm::Block v = FamilyCase{"ema", {"modes=4"}}.variant(2);
  const auto sigmoid = [](double value) { return 1 / (1 + std::exp(-value)); };
  for (const std::int64_t T : kOracleLengths) {
    const lcsm::Weights w = weights_of(v);
    const Tensor x = lcsm::random_input(1, T, 2, 2), y = layer_forward(v, w, x).output;
    for (std::int64_t d = 0; d < 2; ++d) {
      const std::vector<double> in = column(x, d);
      std::vector<double> sum(in.size(), 0);
      for (std::int64_t m = 0; m < 4; ++m) {
        const double p = sigmoid(at3(w.at("smoothing_logit"), 0, d, m));
        const double q = 1 - p * sigmoid(at3(w.at("damping_logit"), 0, d, m));
        const double eta = at3(w.at("shrink"), 0, d, m) / 2;  // sqrt(4)
        const std::vector<double> one = smoothed(q, eta * p * at3(w.at("expand"), 0, d, m), in);
        for (std::size_t t = 0; t < in.size(); ++t) sum[t] += one[t];
      }
      const double omega = w.at("skip")[d].item<double>();
      for (std::size_t t = 0; t < in.size(); ++t) {
        sum[t] += omega * in[t];
        sum[t] *= sigmoid(sum[t]);
      }
      expect_column(y, d, sum);
    }
  }
}

// Both directions written out; the lag is the row's.
TEST(Oracles, BothDirectionsAreTheDoubleSum) {
  for (const FamilyCase& c : {FamilyCase{"ces", {"bidirectional=true", "skip=false"}},
                              FamilyCase{"s4d", {"bidirectional=true", "output=none"}},
                              FamilyCase{"s4", {"bidirectional=true", "output=none", "modes=2"}},
                              FamilyCase{"dss", {"bidirectional=true", "output=none"}}})
    for (const std::int64_t T : {1, 2, 7, 65}) {
      SCOPED_TRACE(c.name() + " T=" + std::to_string(T));
      const lcsm::Block v = c.variant(2);
      lcsm::Weights w = weights_of(v);
      const bool skip = w.contains("skip");
      const Tensor x = lcsm::random_input(1, T, 2, 2), k = layer_kernel(v, w, T);
      const Tensor y = layer_forward(v, w, x).output - (skip ? w.at("skip") * x : 0 * x);
      for (std::int64_t d = 0; d < 2; ++d) {
        const std::vector<double> in = column(x, d);
        std::vector<double> sum(in.size(), 0);
        for (std::int64_t t = 0; t < T; ++t) {
          for (std::int64_t j = 0; j <= t; ++j)
            sum[t] += at3(k, 0, d, j) * in[static_cast<std::size_t>(t - j)];
          for (std::int64_t j = 0; t + j + 1 < T; ++j)
            sum[t] += at3(k, 1, d, j) * in[static_cast<std::size_t>(t + j + 1)];
        }
        expect_column(y, d, sum);
      }
    }
}

// The Cauchy kernel against powers of the dense matrix. Both lose digits to the matrix's condition,
// which grows with its size.
TEST(Oracles, S4IsTheDenseStateSpace) {
  for (const std::int64_t modes : {2, 8, 32})
    for (const std::int64_t T : kOracleLengths)
      for (const std::string length : {"0", "64", "63"}) {
        if (T > 1000 ? modes > 2 || length != "0" : T == 1000 && modes == 32)
          continue;  // minutes of products
        const FamilyCase c{"s4", {"modes=" + std::to_string(modes), "length=" + length}};
        SCOPED_TRACE(c.name() + " T=" + std::to_string(T));
        const lcsm::Block v = c.variant(2);
        const lcsm::Weights w = weights_of(v);
        EXPECT_LE(relative_error(layer_kernel(v, w, T), taps_of(v.as<S4>().state_space(w), T)),
                  1e-10);
      }
}

// The shrink that the authors store for a length belongs to an equal C.
TEST(Oracles, S4KeepsItsKernelWhenTheLengthDoubles) {
  const lcsm::Block plain = FamilyCase{"s4", {"modes=4"}}.variant(2);
  lcsm::Weights w = weights_of(plain);
  const Tensor expected = layer_kernel(plain, w, 100);
  w["shrink"] = plain.as<S4>().shrink_for(w, 0, 64).detach();
  const lcsm::Block of64 = FamilyCase{"s4", {"modes=4", "length=64"}}.variant(2);
  EXPECT_LE(relative_error(layer_kernel(of64, w, 100), expected), 1e-11);
}

// Initial values for a length are the values without a length, adapted so that the kernel is equal.
TEST(Oracles, S4StartsAttunedToItsLength) {
  const lcsm::Block plain = FamilyCase{"s4", {"modes=4"}}.variant(2),
                    of50 = FamilyCase{"s4", {"modes=4", "length=50"}}.variant(2);
  EXPECT_LE(relative_error(layer_kernel(of50, weights_of(of50), 50),
                           layer_kernel(plain, weights_of(plain), 50)),
            1e-11);
}

// exp of dt [[A, B], [0, 0]] holds the discrete A and B of a zero-order hold.
TEST(Oracles, S4dIsTheMatrixExponential) {
  const lcsm::Block v = FamilyCase{"s4d", {"modes=3"}}.variant(2);
  const lcsm::Weights w = weights_of(v);
  for (const std::int64_t T : kOracleLengths) {
    const Tensor k = layer_kernel(v, w, T);
    for (std::int64_t d = 0; d < 2; ++d) {
      const auto options = at::TensorOptions().dtype(at::kComplexDouble);
      Tensor generator = at::zeros({4, 4}, options), h;
      const at::NoGradGuard none;
      generator.narrow(0, 0, 3).narrow(1, 0, 3).diagonal().copy_(
          at::complex(-at::exp(w.at("log_decay")[d]), w.at("frequency")[d]));
      generator.narrow(0, 0, 3).select(1, 3).copy_(at::view_as_complex(w.at("expand")[d]));
      const Tensor both = exponential(at::exp(w.at("raw_step")[d]) * generator);
      const Tensor A = both.narrow(0, 0, 3).narrow(1, 0, 3), C = complex_of(w.at("shrink")[0][d]);
      h = both.narrow(0, 0, 3).select(1, 3);
      std::vector<Tensor> expected;
      for (std::int64_t t = 0; t < T; ++t) {
        expected.push_back(2 * at::real((C * h).sum()));
        h = A.mv(h);
      }
      // Ten squarings leave errors of 1e-13 in A, which T steps multiply.
      EXPECT_LE(relative_error(k[0][d], at::stack(expected)),
                1e-12 + 1e-13 * static_cast<double>(T));
    }
  }
}

// K_t = Re(sum of W / L softmax_t(t z)), a softmax over all steps, and the authors' guard.
TEST(Oracles, DssIsTheSoftmaxOverSteps) {
  const lcsm::Block v = FamilyCase{"dss", {"modes=3"}}.variant(1);
  lcsm::Weights w = weights_of(v);
  for (const double real : {-0.5, 0.3})
    for (const std::int64_t T : kOracleLengths) {
      const at::NoGradGuard none;
      w.at("rate").select(1, 0).fill_(real);
      std::vector<double> expected(static_cast<std::size_t>(T), 0);
      for (std::int64_t m = 0; m < 3; ++m) {
        const Number rate = {real, w.at("rate")[m][1].item<double>()};
        const Tensor step = at::exp(w.at("log_step")[0]);
        const Number z = {step[0].item<double>() * rate.real(),
                          step[1].item<double>() * rate.imag()};
        const double top = std::max(0.0, z.real() * static_cast<double>(T - 1));
        Number sum = 0;
        for (std::int64_t t = 0; t < T; ++t) sum += std::exp(z * static_cast<double>(t) - top);
        const Number falling = real > 0 ? -z : z;
        const double x2 = std::norm(rate * (std::exp(falling * static_cast<double>(T)) - 1.0));
        const Number W = {at3(w.at("shrink")[0], 0, m, 0), at3(w.at("shrink")[0], 0, m, 1)};
        for (std::int64_t t = 0; t < T; ++t)
          expected[static_cast<std::size_t>(t)] +=
              (W / rate * std::exp(z * static_cast<double>(t) - top) / sum * x2 / (x2 + 1e-7))
                  .real();
      }
      expect_column(layer_kernel(v, w, T).transpose(1, 2), 0, expected);
    }
}

// Every input of the state and every output, in plain loops.
TEST(Oracles, S5IsOneStateForAllChannels) {
  const lcsm::Block v = FamilyCase{"s5", {"modes=2"}}.variant(3);
  const lcsm::Weights w = weights_of(v);
  for (const std::int64_t T : kOracleLengths) {
    const Tensor x = lcsm::random_input(1, T, 3, 2), y = layer_forward(v, w, x).output;
    std::vector<std::vector<double>> in, expected;
    for (std::int64_t d = 0; d < 3; ++d) {
      in.push_back(column(x, d));
      expected.push_back(in.back());
      for (double& value : expected.back()) value *= w.at("skip")[d].item<double>();
    }
    for (std::int64_t m = 0; m < 2; ++m) {
      const Number A = {w.at("rate")[m][0].item<double>(), w.at("rate")[m][1].item<double>()};
      const Number q = std::exp(std::exp(w.at("log_step")[m].item<double>()) * A);
      Number B[3], C[3], h = 0;
      for (std::int64_t d = 0; d < 3; ++d) {
        B[d] = (q - 1.0) / A * pair(w.at("expand"), m, d);
        C[d] = 2.0 * pair(w.at("shrink")[0], d, m);
      }
      for (std::size_t t = 0; t < static_cast<std::size_t>(T); ++t) {
        h = q * h + B[0] * in[0][t] + B[1] * in[1][t] + B[2] * in[2][t];
        for (std::size_t d = 0; d < 3; ++d) expected[d][t] += (C[d] * h).real();
      }
    }
    for (std::int64_t d = 0; d < 3; ++d) expect_column(y, d, expected[static_cast<std::size_t>(d)]);
  }
}

}  // namespace ets
