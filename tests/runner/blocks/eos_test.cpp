// The parts of a code against what their equations say, head by head and step by step, in plain
// numbers; and named systems against the formulas of their papers.
#include "runner/blocks/eos.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "runner/blocks/block.h"
#include "runner/systems/eos_rows.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/blocks/block_cases.h"

namespace runner {
namespace {

using at::Tensor;
using ets::relative_error;
using Row = std::vector<double>;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double silu(double x) { return x * sigmoid(x); }
double softplus(double x) { return std::log1p(std::exp(x)); }

// One block with random weights, read entry by entry.
struct Plain {
  BlockCase of;
  std::int64_t T = 9;
  ets::Variant v = of.variant();
  ets::Weights w = ets::initial_weights(v, 3, at::kDouble);
  Tensor x = lcsm::random_input(1, T, v.d, 5);

  double at(const std::string& name, std::int64_t n) const {
    return w.at(name).detach().contiguous().const_data_ptr<double>()[n];
  }
  Row row(std::int64_t t) const {
    Row all;
    for (std::int64_t d = 0; d < v.d; ++d) all.push_back(x[0][t][d].item<double>());
    return all;
  }
  Row project(const std::string& name, const Row& in) const {
    const std::int64_t outputs = w.at(name + ".weight").size(0);
    const auto inputs = static_cast<std::int64_t>(in.size());
    Row out;
    for (std::int64_t o = 0; o < outputs; ++o) {
      double sum = w.contains(name + ".bias") ? at(name + ".bias", o) : 0;
      for (std::int64_t n = 0; n < inputs; ++n)
        sum += at(name + ".weight", o * inputs + n) * in[static_cast<std::size_t>(n)];
      out.push_back(sum);
    }
    return out;
  }
  // A projection of step t after its convolution and silu.
  Row convolved(const std::string& name, std::int64_t t) const {
    const std::int64_t taps = w.at(name + "_conv.weight").size(1);
    Row out;
    for (std::int64_t j = 0; j < taps && j <= t; ++j) {
      const Row in = project(name, row(t - j));
      out.resize(in.size());
      for (std::size_t n = 0; n < in.size(); ++n)
        out[n] += at(name + "_conv.weight", static_cast<std::int64_t>(n) * taps + j) * in[n];
    }
    for (std::size_t n = 0; n < out.size(); ++n) {
      if (w.contains(name + "_conv.bias"))
        out[n] += at(name + "_conv.bias", static_cast<std::int64_t>(n));
      out[n] = silu(out[n]);
    }
    return out;
  }
  // Each head by the root of its mean square (or its length), times the weight.
  Row rms(Row y, std::size_t heads) const {
    const std::size_t width = y.size() / heads;
    for (std::size_t h = 0; h < heads; ++h) {
      double sum = 0;
      for (std::size_t n = 0; n < width; ++n) sum += std::pow(y[h * width + n], 2);
      for (std::size_t n = 0; n < width; ++n) {
        const std::size_t c = h * width + n;
        y[c] *= at("norm.weight", static_cast<std::int64_t>(c)) /
                std::sqrt(sum / static_cast<double>(width) + 1e-5);
      }
    }
    return y;
  }

  void expect(const std::vector<Row>& expected) const {
    const Tensor got = block_forward(v, w, x).output.detach();
    double worst = 0;
    for (std::int64_t t = 0; t < T; ++t)
      for (std::int64_t d = 0; d < v.d; ++d)
        worst = std::max(
            worst, std::abs(got[0][t][d].item<double>() -
                            expected[static_cast<std::size_t>(t)][static_cast<std::size_t>(d)]));
    EXPECT_LE(worst, 1e-11) << of.name();
    EXPECT_GT(got.abs().max().item<double>(), 1e-3);
  }
};

// A memory of rows x columns for each head: m = o m + e i^T, y = s^T m.
struct Memory {
  std::size_t heads, rows, width;
  Row m = Row(heads * rows * width);

  double& at(std::size_t h, std::size_t k, std::size_t d) { return m[(h * rows + k) * width + d]; }
};

Row l2(Row x, std::size_t heads) {
  const std::size_t rows = x.size() / heads;
  for (std::size_t h = 0; h < heads; ++h) {
    double sum = 1e-6;
    for (std::size_t n = 0; n < rows; ++n) sum += std::pow(x[h * rows + n], 2);
    for (std::size_t n = 0; n < rows; ++n) x[h * rows + n] /= std::sqrt(sum);
  }
  return x;
}

}  // namespace

TEST(EosBlock, WithoutPartsItIsTheLayerOfTheCode) {
  const Plain p{{"eos", {"code=1-9-1-4", "k=6"}}};
  const Tensor mine = eos_forward(parts_of(p.v), p.w, p.x, {}).output;
  const Tensor layer = lcsm::layer_forward(parts_of(p.v).variant, p.w, p.x).output;
  EXPECT_LE(relative_error(mine, layer), 1e-14);
  EXPECT_TRUE(parts_of(p.v).is_plain());
}

// Code 1-3-1-0 in two heads with every part, as the equations say.
TEST(EosBlock, EveryPartIsWhatItsEquationSays) {
  const Plain p{{"eos",
                 {"k=6", "heads=2", "conv=3", "qk_norm=l2", "head_norm=rms", "output_gate=silu",
                  "bonus=true", "scale=true"}}};
  Memory m{2, 3, 4};
  std::vector<Row> expected;
  for (std::int64_t t = 0; t < p.T; ++t) {
    const Row x = p.row(t), gate = p.project("gate", x), o = p.project("oscillation.p_k", x);
    const Row i = p.convolved("input", t), e = l2(p.convolved("expand", t), 2),
              s = l2(p.convolved("shrink", t), 2);
    Row y(8);
    for (std::size_t h = 0; h < 2; ++h)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t d = 0; d < 4; ++d) {
          const std::size_t row = h * 3 + k, column = h * 4 + d;
          double& cell = m.at(h, k, d);
          cell = std::pow(sigmoid(o[row]), 1.0 / 16) * cell + e[row] * i[column];
          const double u = p.at("bonus", static_cast<std::int64_t>(row));
          y[column] += s[row] / std::sqrt(3) * (cell + u * e[row] * i[column]);
        }
    y = p.rms(y, 2);
    for (std::size_t d = 0; d < 8; ++d) y[d] *= silu(gate[d]);
    expected.push_back(p.project("output", y));
  }
  p.expect(expected);
}

// S = alpha (S - beta k (k^T S)) + beta k v^T
TEST(EosBlock, GatedDeltaIsItsFormula) {
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

TEST(EosBlock, Mamba2IsItsFormula) {
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
TEST(EosBlock, TnlIsItsFormula) {
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

TEST(EosBlock, GlaIsItsFormula) {
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
TEST(EosBlock, GateLoopAndLrpeAreTheirFormulas) {
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

TEST(EosBlock, LrpeStartsWithTheAnglesOfEachHead) {
  const Plain p{{"lrpe", {"heads=2"}}};
  for (int n = 0; n < 8; ++n)
    EXPECT_NEAR(p.at("oscillation.w_k", n), std::pow(10000.0, -2.0 * (n % 4) / 4), 1e-12);
}

TEST(EosBlock, RefusesWhatDoesNotFit) {
  const auto error = [](const BlockCase& c) -> std::string {
    try {
      c.variant();
    } catch (const std::invalid_argument& what) {
      return what.what();
    }
    return "";
  };
  EXPECT_EQ(error({"eos", {"k=6", "heads=3"}}), "eos: heads: expected a divisor of d = 8, got 3");
  EXPECT_EQ(error({"eos", {"k=6", "heads=4"}}), "eos: heads: expected a divisor of k = 6, got 4");
  EXPECT_NE(error({"eos", {"code=0-3-1-0", "qk_norm=l2"}}).find("static e"), std::string::npos);
  EXPECT_NE(error({"eos", {"code=1-3-0-0", "bonus=true"}}).find("static s"), std::string::npos);
  EXPECT_NE(error({"tnl", {"layer=2", "layers=2"}}).find("less than layers = 2"),
            std::string::npos);
}

}  // namespace runner
