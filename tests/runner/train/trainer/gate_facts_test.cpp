#include "runner/train/trainer/gate_facts.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

using at::Tensor;

constexpr std::int64_t kGateExamples = 3, kGateSteps = 8, kGateD = 4, kGateK = 2;

Tensor gate_tokens() {
  return at::remainder(at::arange(kGateExamples * kGateSteps, at::kLong) * 7, 16)
      .view({kGateExamples, kGateSteps});
}

// In float64, with weights so large that gates differ.
Model model_with(const std::string& toml, const std::vector<std::string>& more) {
  std::vector<std::string> settings = small_run();
  settings.insert(settings.end(), more.begin(), more.end());
  const RunConfig config = parse_config(toml, "test.toml", settings, [](const std::string&) {});
  Model model = make_model(config, 16, at::kDouble);
  const at::NoGradGuard raw;
  for (const ModelParameter& each : model.parameters())
    if (each.tensor.dim() == 2 && each.trained) Tensor(each.tensor).mul_(30);
  return model;
}

// What the mixer of the first layer reads.
Tensor first_input(const Model& model) {
  const at::NoGradGuard raw;
  const lcsm::Weights& norm = model.layers()[0].at("mixer_norm");
  return at::layer_norm(at::embedding(model.embedding(), gate_tokens()), {kGateD},
                        norm.at("weight"), norm.at("bias"), 1e-5);
}

Tensor product_of(const Model& model, const std::string& weight, const Tensor& x) {
  const at::NoGradGuard raw;
  return at::matmul(x, model.layers()[0].at("mixer").at(weight).t());
}

// The definition: sorts all values, and interpolates between two of them.
void expect_summary(const GateFacts& got, std::vector<double> values) {
  std::ranges::sort(values);
  double sum = 0, low = 0, high = 0;
  for (const double value : values) {
    sum += value;
    low += value < 0.01;
    high += value > 0.99;
  }
  const auto count = static_cast<double>(values.size());
  EXPECT_NEAR(got.mean, sum / count, 1e-12);
  EXPECT_NEAR(got.near_zero, low / count, 1e-12);
  EXPECT_NEAR(got.near_one, high / count, 1e-12);
  const std::array<double, 3> shares = {0.05, 0.5, 0.95};
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double place = shares[i] * (count - 1);
    const auto below = static_cast<std::size_t>(place),
               above = std::min(below + 1, values.size() - 1);
    const double part = place - static_cast<double>(below);
    EXPECT_NEAR(got.quantiles[i], (1 - part) * values[below] + part * values[above], 1e-12) << i;
  }
}

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

// o = (sigmoid(p_k) sigmoid(p_d))^(1/tau), e after sigmoid.
TEST(GateFacts, AreThoseOfTheDefinitionOfACode) {
  const Model model = model_with("", {"model.code=1-1-1-2@tau=2", "model.layers=2"});
  const std::vector<GateFacts> facts = gate_facts(model, {gate_tokens()});
  ASSERT_EQ(facts.size(), 2u);
  const Tensor x = first_input(model), i = product_of(model, "input.weight", x),
               e = product_of(model, "expand.weight", x),
               pk = product_of(model, "oscillation.p_k.weight", x),
               pd = product_of(model, "oscillation.p_d.weight", x);
  std::vector<double> lambdas;
  std::array<double, 3> norms = {};
  for (std::int64_t b = 0; b < kGateExamples; ++b) {
    std::array<std::array<double, kGateD>, kGateK> m = {};
    for (std::int64_t t = 0; t < kGateSteps; ++t) {
      double squares = 0;
      const auto at = [&](const Tensor& data, std::int64_t n) {
        return data[b][t][n].item<double>();
      };
      for (std::int64_t k = 0; k < kGateK; ++k)
        for (std::int64_t d = 0; d < kGateD; ++d) {
          const double lambda = std::sqrt(sigmoid_of(at(pk, k)) * sigmoid_of(at(pd, d)));
          double& cell = m[static_cast<std::size_t>(k)][static_cast<std::size_t>(d)];
          cell = lambda * cell + sigmoid_of(at(e, k)) * at(i, d);
          squares += cell * cell;
          lambdas.push_back(lambda);
        }
      for (std::size_t n = 0; n < norms.size(); ++n)
        if (t + 1 == std::array<std::int64_t, 3>{2, 4, 8}[n])
          norms[n] += std::sqrt(squares) / kGateExamples;
    }
  }
  expect_summary(facts[0], lambdas);
  EXPECT_GT(facts[0].quantiles[2] - facts[0].quantiles[0], 0.1) << "the gates differ";
  for (std::size_t n = 0; n < norms.size(); ++n)
    EXPECT_NEAR(facts[0].norms[n], norms[n], 1e-9 * norms[n]) << n;
  EXPECT_EQ(facts[0].floor, 0);
  EXPECT_EQ(facts[1].layer, 1u);
  EXPECT_FALSE(facts[1].is_filter);
}

// q = exp(e^rate e^step), h_t = e^q h_(t-1) + (W x)_t.
TEST(GateFacts, AreThoseOfTheDefinitionOfAFilter) {
  Model model = model_with("", {"model.code=etsmlp@bidirectional=false", "model.skeleton=zoology"});
  const std::vector<GateFacts> facts = gate_facts(model, {gate_tokens()});
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_TRUE(facts[0].is_filter);
  const lcsm::Weights& weights = model.layers()[0].at("mixer");
  const Tensor rate = weights.at("smooth.log_rate").reshape({kGateD, 2}),
               step = weights.at("smooth.log_step").reshape({kGateD, 2});
  const Tensor in =
      product_of(model, "input.weight", first_input(model)) + weights.at("input.bias").detach();
  using Complex = std::complex<double>;
  const auto part = [](const Tensor& x, std::int64_t d) {
    return Complex(x[d][0].item<double>(), x[d][1].item<double>());
  };
  std::vector<double> lambdas;
  std::vector<Complex> q;
  for (std::int64_t d = 0; d < kGateD; ++d) {
    const Complex steps(std::exp(part(step, d).real()), std::exp(part(step, d).imag()));
    const Complex log = std::exp(part(rate, d)) * steps;
    q.push_back(std::exp(Complex(std::min(log.real(), std::log(0.9999)), log.imag())));
    lambdas.push_back(std::abs(q.back()));
  }
  expect_summary(facts[0], lambdas);
  double norm = 0, volume = 0;
  for (std::int64_t b = 0; b < kGateExamples; ++b) {
    double squares = 0;
    for (std::int64_t d = 0; d < kGateD; ++d) {
      Complex h = 0;
      for (std::int64_t t = 0; t < kGateSteps; ++t)
        h = q[static_cast<std::size_t>(d)] * h + in[b][t][d].item<double>();
      squares += std::norm(h);
      volume += std::abs(h) / kGateExamples;
    }
    norm += std::sqrt(squares) / kGateExamples;
  }
  EXPECT_NEAR(facts[0].norms[2], norm, 1e-9 * norm);
  const std::vector<double> volumes = gate_facts(model, {gate_tokens()}, true)[0].volumes;
  ASSERT_EQ(volumes.size(), static_cast<std::size_t>(kGateSteps));
  EXPECT_NEAR(volumes.back(), volume, 1e-9 * volume);
  EXPECT_TRUE(facts[0].volumes.empty());
}

// S4 trains by its kernel, which has no state: h_t = A h_(t-1) + B x_t.
TEST(GateFacts, FollowTheStateBehindTheKernelOfS4) {
  Model model = model_with("", {"model.code=s4@modes=3", "model.skeleton=zoology"});
  const std::vector<GateFacts> facts = gate_facts(model, {gate_tokens()}, true);
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_TRUE(std::isnan(facts[0].mean)) << "its matrix is not diagonal";
  const ets::Filter filter =
      ets::filter_of(model.plan().blocks[0].mixer, model.layers()[0].at("mixer"), kGateSteps, true);
  const auto& space = std::get<ets::StateSpace>(filter.kernel);
  const Tensor x = first_input(model);
  Tensor h = at::zeros({kGateExamples, kGateD, space.b.size(1)}, space.b.options());
  ASSERT_EQ(facts[0].volumes.size(), static_cast<std::size_t>(kGateSteps));
  for (std::int64_t t = 0; t < kGateSteps; ++t) {
    h = at::matmul(space.a, h.unsqueeze(-1)).squeeze(-1) + space.b * x.select(1, t).unsqueeze(-1);
    const double volume = h.abs().sum().item<double>() / kGateExamples;
    EXPECT_NEAR(facts[0].volumes[static_cast<std::size_t>(t)], volume, 1e-9 * volume) << t;
  }
}

TEST(GateFacts, KnowTheFloorThatWasLearned) {
  const Model code =
      model_with("[oscillation.floored]\no = 'sigmoid(w_k) + (1 - sigmoid(w_k)) * sigmoid(p_k)'\n",
                 {"model.code=1-floored-1-2"});
  const std::vector<GateFacts> facts = gate_facts(code, {gate_tokens()});
  const Tensor w = code.layers()[0].at("mixer").at("oscillation.w_k");
  double floor = 0;
  for (std::int64_t k = 0; k < kGateK; ++k) floor += sigmoid_of(w[k].item<double>()) / kGateK;
  EXPECT_NEAR(facts[0].floor, floor, 1e-12);
  EXPECT_GT(facts[0].quantiles[0], 0.01);

  const Model hgrn =
      model_with("", {"model.code=hgrn@bound=learned", "model.layers=3", "model.skeleton=zoology"});
  const Tensor bounds = at::softmax(hgrn.layers()[0].at("mixer").at("lower_bound"), 0);
  const std::vector<GateFacts> layers = gate_facts(hgrn, {gate_tokens()});
  ASSERT_EQ(layers.size(), 3u);
  EXPECT_EQ(layers[0].floor, 0);
  EXPECT_NEAR(layers[2].floor, bounds.narrow(0, 1, 2).sum(0).mean().item<double>(), 1e-12);
}

// One head alone has the facts of the only head.
TEST(GateFacts, TellHeadsApartAndLeaveOutPadding) {
  const std::vector<GateFacts> heads =
      gate_facts(model_with("", {"model.code=1-3-1-2", "model.code_heads=2"}), {gate_tokens()});
  ASSERT_EQ(heads.size(), 2u);
  EXPECT_EQ(heads[1].part, 1u);
  EXPECT_EQ(heads[1].parts, 2u);
  EXPECT_NE(heads[0].mean, heads[1].mean);
  const std::vector<GateFacts> in_batch = gate_facts(
      model_with("", {"model.code=retnet@heads=2", "model.skeleton=zoology"}), {gate_tokens()});
  for (const GateFacts& each : in_batch) EXPECT_EQ(each.parts, 2u);

  const Model model = model_with("", {"model.code=1-3-1-2"});
  Tensor padding = at::zeros({kGateExamples, kGateSteps}, at::kBool);
  padding.narrow(1, 5, 3).fill_(true);
  const GateFacts padded = gate_facts(model, {gate_tokens(), padding})[0];
  const GateFacts shorter = gate_facts(model, {gate_tokens().narrow(1, 0, 5)})[0];
  EXPECT_NEAR(padded.mean, shorter.mean, 1e-12);
  EXPECT_NE(padded.mean, gate_facts(model, {gate_tokens()})[0].mean);
}

TEST(GateFacts, AreEmptyWithoutARecurrence) {
  EXPECT_TRUE(gate_facts(model_with("", {"model.family=attention", "model.code=", "model.heads=2"}),
                         {gate_tokens()})
                  .empty());
}

}  // namespace runner
