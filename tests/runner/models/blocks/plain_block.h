// A block in plain numbers, entry by entry, for tests of equations.
#pragma once

#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <cmath>

#include "runner/models/blocks/block.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/block_cases.h"

namespace runner {

using Row = std::vector<double>;

inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
inline double silu(double x) { return x * sigmoid(x); }
inline double softplus(double x) { return std::log1p(std::exp(x)); }

// One block with random weights, evaluated entry by entry.
struct Plain {
  BlockCase of;
  std::int64_t T = 9;
  lcsm::Block v = of.variant();
  lcsm::Weights w = lcsm::initial_weights(v, 3, at::kDouble);
  at::Tensor x = lcsm::random_input(1, T, v.d, 5);

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
  // Divides each head by the root of its mean square (or by its length) and multiplies by the
  // weight.
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
    const at::Tensor got = block_forward(v, w, x).output.detach();
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

inline Row l2(Row x, std::size_t heads) {
  const std::size_t rows = x.size() / heads;
  for (std::size_t h = 0; h < heads; ++h) {
    double sum = 1e-6;
    for (std::size_t n = 0; n < rows; ++n) sum += std::pow(x[h * rows + n], 2);
    for (std::size_t n = 0; n < rows; ++n) x[h * rows + n] /= std::sqrt(sum);
  }
  return x;
}

}  // namespace runner
