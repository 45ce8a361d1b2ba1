// The gated Toeplitz unit against plain loops: the network of each lag, a sum over all pairs.
#include "ets/layer/tnn.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/ets/layer/family_cases.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace ets {
namespace {

using at::Tensor;
using Values = std::vector<double>;

// W x + b.
Values tnn_linear(const Tensor& weight, const Tensor& bias, const Values& x) {
  Values y;
  for (std::int64_t n = 0; n < weight.size(0); ++n) {
    double sum = bias[n].item<double>();
    for (std::int64_t k = 0; k < weight.size(1); ++k)
      sum += weight[n][k].item<double>() * x[static_cast<std::size_t>(k)];
    y.push_back(sum);
  }
  return y;
}

Values normed_and_cut(Values x) {
  double square = 0;
  for (const double value : x) square += value * value;
  const double size = std::sqrt(square / static_cast<double>(x.size())) + 1e-8;
  for (double& value : x) value = std::max(value / size, 0.0);
  return x;
}

double silu(double x) { return x / (1 + std::exp(-x)); }

struct Oracle {
  const Weights& w;
  double gamma;
  bool both;

  Values named(const std::string& name, const Values& x) const {
    return tnn_linear(w.at(name + ".weight"), w.at(name + ".bias"), x);
  }

  Values coefficients(std::int64_t lag) const {
    Values x = named("position", {static_cast<double>(lag)});
    for (std::int64_t n = 0; n < w.at("hidden.weight").size(0); ++n)
      x = tnn_linear(w.at("hidden.weight")[n], w.at("hidden.bias")[n], normed_and_cut(x));
    x = named("coefficient", normed_and_cut(x));
    for (double& value : x) value *= std::pow(gamma, std::abs(lag));
    return x;
  }

  // [T] rows of channels from the rows of x.
  std::vector<Values> run(const std::vector<Values>& x) const {
    const auto T = static_cast<std::int64_t>(x.size());
    std::map<std::int64_t, Values> taps;
    for (std::int64_t lag = both ? 1 - T : 0; lag < T; ++lag) taps[lag] = coefficients(lag);
    std::vector<Values> values, y;
    for (const Values& row : x) values.push_back(named("value", row));
    for (std::int64_t i = 0; i < T; ++i) {
      Values sum = named("gate", x[static_cast<std::size_t>(i)]);
      for (std::size_t c = 0; c < sum.size(); ++c) {
        double filtered = 0;
        for (std::int64_t j = 0; j < (both ? T : i + 1); ++j)
          filtered += taps.at(i - j)[c] * silu(values[static_cast<std::size_t>(j)][c]);
        sum[c] = silu(sum[c]) * filtered;
      }
      y.push_back(named("output", sum));
    }
    return y;
  }
};

}  // namespace

TEST(Tnn, IsTheSumOverAllPairs) {
  for (const bool both : {false, true})
    for (const std::int64_t T : {1, 2, 7, 63, 64, 65}) {
      SCOPED_TRACE(testing::Message() << "T " << T << (both ? " both" : ""));
      const Variant v = FamilyCase{
          "tnn",
          {both ? "bidirectional=true" : "bidirectional=false", "channels=3", "width=4", "layers=2",
           "gamma=0.95"}}.variant(2);
      const Weights w = weights_of(v);
      const Tensor x = lcsm::random_input(1, T, 2, 2);
      std::vector<Values> rows;
      for (std::int64_t t = 0; t < T; ++t)
        rows.push_back({x[0][t][0].item<double>(), x[0][t][1].item<double>()});
      const std::vector<Values> expected = Oracle{w, 0.95, both}.run(rows);
      for (const Machine machine : {Machine::kReference, Machine::kFastest}) {
        const Tensor y = layer_forward(v, w, x, {.machine = machine}).output;
        for (std::int64_t t = 0; t < T; ++t)
          for (std::int64_t d = 0; d < 2; ++d)
            // A few roundings: all values are about 1.
            EXPECT_NEAR(y[0][t][d].item<double>(),
                        expected[static_cast<std::size_t>(t)][static_cast<std::size_t>(d)], 1e-12);
      }
    }
}

TEST(Tnn, CarriesNoState) {
  const Variant v = FamilyCase{"tnn", {}}.variant(2);
  const Weights w = weights_of(v);
  const Tensor x = lcsm::random_input(1, 3, 2, 2);
  EXPECT_TRUE(layer_forward(v, w, x, {.machine = Machine::kReference}).state.empty());
  EXPECT_THROW(layer_forward(v, w, x, {.state = {{"inputs", x}}}), std::invalid_argument);
}

}  // namespace ets
