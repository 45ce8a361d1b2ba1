// Named systems that are a code with parts, against the formulas of their papers.
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <complex>

#include "tests/runner/models/blocks/plain_block.h"

namespace runner {

using at::Tensor;

// S = alpha (S - beta k (k^T S)) + beta k v^T
TEST(EosSystems, GatedDeltaIsItsFormula) {
  const Plain p{{"gated-delta", {"heads=2", "k=6"}}};
  Memory m{2, 3, 8};
  std::vector<Row> expected;
  for (std::int64_t t = 0; t < p.T; ++t) {
    const Row x = p.row(t), gate = p.project("gate", x), beta = p.project("oscillation.p", x),
              rate = p.project("decay", x);
    const Row v = p.convolved("input", t), k = l2(p.convolved("expand", t), 2),
              q = l2(p.convolved("shrink", t), 2);
    Row y(16);
    for (std::size_t h = 0; h < 2; ++h) {
      const double b = sigmoid(beta[h]);
      const double alpha =
          std::exp(-std::exp(p.at("decay.log_rate", static_cast<int>(h))) * softplus(rate[h]));
      for (std::size_t d = 0; d < 8; ++d) {
        double read = 0;
        for (std::size_t n = 0; n < 3; ++n) read += k[h * 3 + n] * m.at(h, n, d);
        for (std::size_t n = 0; n < 3; ++n) {
          double& cell = m.at(h, n, d);
          cell = alpha * (cell - b * k[h * 3 + n] * read) + b * k[h * 3 + n] * v[h * 8 + d];
          y[h * 8 + d] += q[h * 3 + n] / std::sqrt(3) * cell;
        }
      }
    }
    y = p.rms(y, 2);
    for (std::size_t d = 0; d < 16; ++d) y[d] *= silu(gate[d]);
    expected.push_back(p.project("output", y));
  }
  p.expect(expected);
}

TEST(EosSystems, Mamba2IsItsFormula) {
  const Plain p{{"mamba-2", {"state=3", "heads=4"}}};
  Memory m{4, 3, 4};
  std::vector<Row> expected;
  for (std::int64_t t = 0; t < p.T; ++t) {
    const Row x = p.row(t), z = p.project("gate", x), step = p.project("oscillation.p", x);
    const Row i = p.convolved("input", t), B = p.convolved("expand", t),
              C = p.convolved("shrink", t);
    Row y(16);
    for (std::size_t h = 0; h < 4; ++h)
      for (std::size_t d = 0; d < 4; ++d) {
        const double dt = softplus(step[h]), in = i[h * 4 + d];
        double& out = y[h * 4 + d];
        out = p.at("skip", static_cast<int>(h)) * in;
        for (std::size_t n = 0; n < 3; ++n) {
          double& cell = m.at(h, n, d);
          cell = std::exp(-std::exp(p.at("oscillation.w", static_cast<int>(h))) * dt) * cell +
                 dt * B[n] * in;
          out += C[n] * cell;
        }
        out *= silu(z[h * 4 + d]);
      }
    expected.push_back(p.project("output", p.rms(y, 1)));
  }
  p.expect(expected);
}

// exp(-(8 h / H) (1 - l / L)) for head h: the first never forgets.
TEST(EosSystems, TnlIsItsFormula) {
  const Plain p{{"tnl", {"heads=4", "layer=1", "layers=3"}}};
  Memory m{4, 2, 2};
  std::vector<Row> expected;
  for (std::int64_t t = 0; t < p.T; ++t) {
    const Row x = p.row(t), u = p.project("gate", x), v = p.project("input", x),
              k = p.project("expand", x), q = p.project("shrink", x);
    Row y(8);
    for (std::size_t h = 0; h < 4; ++h)
      for (std::size_t n = 0; n < 2; ++n)
        for (std::size_t d = 0; d < 2; ++d) {
          double& cell = m.at(h, n, d);
          const double decay = std::exp(-8.0 * static_cast<double>(h) / 4 * (1 - 1.0 / 3));
          cell = decay * cell + silu(k[h * 2 + n]) * v[h * 2 + d];
          y[h * 2 + d] += silu(q[h * 2 + n]) * cell;
        }
    y = p.rms(y, 4);
    for (std::size_t d = 0; d < 8; ++d) y[d] *= u[d];
    expected.push_back(p.project("output", y));
  }
  p.expect(expected);
}

TEST(EosSystems, GlaIsItsFormula) {
  const Plain p{{"gla", {"heads=2", "rank=2"}}};
  Memory m{2, 2, 4};
  std::vector<Row> expected;
  for (std::int64_t t = 0; t < p.T; ++t) {
    const Row x = p.row(t), u = p.project("gate", x), v = p.project("input", x),
              k = p.project("expand", x), q = p.project("shrink", x);
    const Row g = p.project("oscillation.p_k.up", p.project("oscillation.p_k.down", x));
    Row y(8);
    for (std::size_t h = 0; h < 2; ++h)
      for (std::size_t n = 0; n < 2; ++n)
        for (std::size_t d = 0; d < 4; ++d) {
          double& cell = m.at(h, n, d);
          cell = std::pow(sigmoid(g[h * 2 + n]), 1.0 / 16) * cell + k[h * 2 + n] * v[h * 4 + d];
          y[h * 4 + d] += q[h * 2 + n] / std::sqrt(2) * cell;
        }
    y = p.rms(y, 2);
    for (std::size_t d = 0; d < 8; ++d) y[d] *= silu(u[d]);
    expected.push_back(p.project("output", y));
  }
  p.expect(expected);
}

// A complex memory: sigmoid(p_k) exp(i p_k2), of LRPE exp(i w_k).
TEST(EosSystems, GateLoopAndLrpeAreTheirFormulas) {
  for (const bool is_lrpe : {false, true}) {
    const Plain p = is_lrpe ? Plain{{"lrpe", {"heads=2"}}}
                            : Plain{{"gateloop", {"heads=2", "k=8", "output_gate=none"}}};
    std::vector<std::complex<double>> m(2 * 4 * 4);
    for (std::int64_t t = 0; t < p.T; ++t) {
      const Row x = p.row(t), v = p.project("input", x);
      Row k = p.project("expand", x), q = p.project("shrink", x), y(8);
      for (Row* each : {&k, &q})
        for (double& z : *each)
          if (is_lrpe) z = z > 0 ? z + 1 : std::exp(z);
      for (std::size_t n = 0; n < 8; ++n)
        for (std::size_t d = 0; d < 4; ++d) {
          const std::complex<double> o =
              is_lrpe ? std::polar(1.0, p.at("oscillation.w_k", static_cast<int>(n)))
                      : std::polar(sigmoid(p.project("oscillation.p_k", x)[n]),
                                   p.project("oscillation.p_k2", x)[n]);
          std::complex<double>& cell = m[n * 4 + d];
          cell = o * cell + k[n] * v[n / 4 * 4 + d];
          y[n / 4 * 4 + d] += q[n] * cell.real();
        }
      const Tensor memory = block_forward(p.v, p.w, p.x.narrow(1, 0, t + 1)).state.at("memory");
      for (std::size_t n = 0; n < 8; ++n)
        EXPECT_NEAR((memory[0][static_cast<int>(n / 4)][static_cast<int>(n % 4)][1].item<double>()),
                    m[n * 4 + 1].real(), 1e-11);
      if (!is_lrpe) continue;
      const Row expected = p.project("output", p.rms(y, 2));
      const Tensor got = block_forward(p.v, p.w, p.x).output;
      for (std::size_t d = 0; d < 8; ++d)
        EXPECT_NEAR((got[0][t][static_cast<int>(d)].item<double>()), expected[d], 1e-11);
    }
  }
}

TEST(EosSystems, LrpeStartsWithTheAnglesOfEachHead) {
  const Plain p{{"lrpe", {"heads=2"}}};
  for (int n = 0; n < 8; ++n)
    EXPECT_NEAR(p.at("oscillation.w_k", n), std::pow(10000.0, -2.0 * (n % 4) / 4), 1e-12);
}

}  // namespace runner
