#include "runner/train/trainer/optimizer.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>
#include <ATen/ops/normal.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "runner/config/keys/optimizer_rows.h"
#include "tests/lcsm/cuda/step/adam_definition.h"

namespace runner {
namespace {

using at::Tensor;

RunConfig optimizer_config_of(std::vector<std::string> settings) {
  for (const char* word : {"task.name=mqar", "model.code=1-9-1-0"})
    settings.insert(settings.begin(), word);
  return parse_config("", "", settings, [](const std::string&) {});
}

std::vector<ModelParameter> optimizer_parameters(at::ScalarType type = at::kDouble) {
  const at::Generator random = at::detail::createCPUGenerator(7);
  const auto make = [&](const char* name, at::IntArrayRef sizes, lcsm::ParameterGroup group,
                        bool trained = true) {
    return ModelParameter{name, at::randn(sizes, random, type).requires_grad_(trained), group,
                          trained};
  };
  return {make("a", {3, 4}, lcsm::ParameterGroup::kMatrices),
          make("b", {4}, lcsm::ParameterGroup::kNorm),
          make("frozen", {2}, lcsm::ParameterGroup::kGate, false)};
}

void optimizer_give_gradients(const std::vector<ModelParameter>& all, int step) {
  for (const ModelParameter& each : all)
    if (each.trained) each.tensor.mutable_grad() = each.tensor.detach() * 0.3 + step * 0.1;
}

struct TextbookSettings {
  double decay, rate, beta1 = 0.85, beta2 = 0.98, eps = 1e-3;
};

// Loshchilov and Hutter 2019, algorithm 2, one number at a time; Adam adds the decay to the
// gradient (Kingma and Ba 2015, algorithm 1).
template <bool decoupled>
void textbook_adam(Tensor x, int steps, const TextbookSettings& by) {
  Tensor m = at::zeros_like(x), v = at::zeros_like(x);
  for (int t = 1; t <= steps; ++t) {
    Tensor g = x * 0.3 + t * 0.1;
    if (!decoupled) g = g + x * by.decay;
    m = m * by.beta1 + g * (1 - by.beta1);
    v = v * by.beta2 + g * g * (1 - by.beta2);
    const Tensor update =
        m.div(1 - std::pow(by.beta1, t)) / (v.div(1 - std::pow(by.beta2, t)).sqrt() + by.eps);
    if (decoupled) x.sub_(x * (by.rate * by.decay));
    x.sub_(update * by.rate);
  }
}

struct Textbook {
  std::string_view name;  // as in optimizer_rows.h
  void (*train)(Tensor x, int steps, const TextbookSettings& by);
};
constexpr std::array kTextbooks = {
    Textbook{"adamw", textbook_adam<true>},
    Textbook{"adam", textbook_adam<false>},
};
static_assert(lcsm::same_names(kTextbooks, kOptimizerRows), "each optimizer needs its equations");

void expect_textbook(const Textbook& textbook, const std::string& decay_on) {
  const std::string name(textbook.name);
  auto ours = optimizer_parameters(), wanted = optimizer_parameters();
  for (auto* all : {&ours, &wanted})
    all->push_back({"gate", at::full({2}, 0.5, at::kDouble).requires_grad_(true),
                    lcsm::ParameterGroup::kGate, true});
  Optimizer optimizer(
      optimizer_config_of({"optim.name=" + name, "optim.decay_on=" + decay_on, "optim.decay=0.1",
                           "optim.beta1=0.85", "optim.beta2=0.98", "optim.eps=0.001",
                           "optim.lr=0.01", "optim.gate_lr=0.03"}),
      ours);
  for (int step = 1; step <= 5; ++step) {
    optimizer_give_gradients(ours, step);
    optimizer.collect_gradients(0);
    optimizer.step(0.01);
  }
  for (const std::size_t i : {0, 1, 3}) {
    const bool decays = i == 0 || decay_on == "all" || (decay_on == "not-gate" && i == 1);
    textbook.train(wanted[i].tensor.detach(), 5,
                   {.decay = decays ? 0.1 : 0, .rate = i == 3 ? 0.03 : 0.01});
    EXPECT_LT((ours[i].tensor - wanted[i].tensor).abs().max().item<double>(), 1e-12)
        << name << " " << decay_on << " " << i;
  }
  EXPECT_TRUE(ours[2].tensor.equal(wanted[2].tensor));
}

TEST(Optimizer, IsTheTextbooks) {
  for (const Textbook& textbook : kTextbooks)
    for (const char* decay_on : {"all", "matrices", "not-gate"})
      expect_textbook(textbook, decay_on);
}

TEST(Optimizer, ScalesGradientsDownToTheirLargestNorm) {
  const auto all = optimizer_parameters();
  Optimizer optimizer(optimizer_config_of({}), all);
  const auto norm = [&] {
    return std::sqrt(
        (all[0].tensor.grad().square().sum() + all[1].tensor.grad().square().sum()).item<double>());
  };
  optimizer_give_gradients(all, 1);
  const double before = norm();
  EXPECT_NEAR(optimizer.collect_gradients(2 * before), before, 1e-12);
  EXPECT_NEAR(norm(), before, 1e-12);
  EXPECT_NEAR(optimizer.collect_gradients(before / 2), before, 1e-12);
  EXPECT_NEAR(norm(), before / 2, 1e-5 * before);
}

TEST(Optimizer, AddsManySquaresUpWithoutLosingDigits) {
  const std::vector<ModelParameter> all = {{"embedding",
                                            at::zeros({5000, 1001}).requires_grad_(true),
                                            lcsm::ParameterGroup::kMatrices, true}};
  Optimizer optimizer(optimizer_config_of({}), all);
  const at::Generator random = at::detail::createCPUGenerator(7);
  all[0].tensor.mutable_grad() = at::randn({5000, 1001}, random);
  const double norm = std::sqrt(all[0].tensor.grad().to(at::kDouble).square().sum().item<double>());
  EXPECT_NEAR(optimizer.collect_gradients(0), norm, norm * 1e-6);
}

TEST(Optimizer, TakesAMissingGradientAsZero) {
  const auto all = optimizer_parameters();
  Optimizer optimizer(optimizer_config_of({"optim.decay=0"}), all);
  optimizer.clear_gradients();
  EXPECT_EQ(optimizer.collect_gradients(0), 0);
  const Tensor before = all[0].tensor.detach().clone();
  optimizer.step(0.1);
  EXPECT_TRUE(all[0].tensor.equal(before));
}

TEST(Optimizer, ResumesFromItsState) {
  const auto through = optimizer_parameters(), before = optimizer_parameters(),
             after = optimizer_parameters();
  const RunConfig config = optimizer_config_of({});
  const auto train = [](Optimizer& optimizer, const auto& all, int from, int to) {
    for (int step = from; step <= to; ++step) {
      optimizer_give_gradients(all, step);
      optimizer.collect_gradients(0);
      optimizer.step(0.01);
    }
  };
  Optimizer a(config, through), b(config, before), c(config, after);
  train(a, through, 1, 6);
  train(b, before, 1, 3);
  for (std::size_t i = 0; i < after.size(); ++i) after[i].tensor.detach().copy_(before[i].tensor);
  c.load_state(b.state(), 3);
  train(c, after, 4, 6);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(after[i].tensor.equal(through[i].tensor));

  auto broken = b.state();
  broken.erase("mean.a");
  EXPECT_THROW(c.load_state(broken, 3), std::invalid_argument);
  broken = b.state();
  broken["square.b"] = at::randn({5}, at::kDouble);
  EXPECT_THROW(c.load_state(broken, 3), std::invalid_argument);
}

}  // namespace
// Whole vectors: LibTorch rounds the tail of a tensor once more.
TEST(Optimizer, RoundsAsTheKernelsOfAGpu) {
  using Floats = std::vector<float>;
  const at::Generator random = at::detail::createCPUGenerator(3);
  const auto tensor = [](Floats& x) {
    return at::from_blob(x.data(), {static_cast<std::int64_t>(x.size())}, at::kFloat);
  };
  for (const bool decoupled : {true, false}) {
    constexpr std::size_t kCount = 256;
    Floats values(kCount, 0.5f), means(kCount), squares(kCount), gradients(kCount);
    lcsm::test::AdamNumbers<float> expected{values, means, squares};
    const at::Tensor steps = at::zeros({}, at::kFloat), rate = at::full({}, 1e-3, at::kDouble);
    for (int n = 1; n <= 100; ++n) {
      tensor(gradients).normal_(0, 1, random);
      steps.fill_(n);
      const std::vector<Tensor> x{tensor(values)}, d{tensor(gradients)}, m{tensor(means)},
          v{tensor(squares)}, count{steps};
      if (decoupled)
        at::_fused_adamw_(x, d, m, v, {}, count, rate, 0.9, 0.98, 0.1, 1e-8, false, false);
      else
        at::_fused_adam_(x, d, m, v, {}, count, rate, 0.9, 0.98, 0.1, 1e-8, false, false);
      lcsm::test::update({.decoupled = decoupled}, {{kCount, 0.1, 1}}, gradients, 1e-3, 0, n,
                         &expected);
    }
    EXPECT_EQ(values, expected.values) << decoupled;
    EXPECT_EQ(squares, expected.squares) << decoupled;
  }
}

}  // namespace runner
