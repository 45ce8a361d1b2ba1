#include "runner/models/skeletons/model.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <array>
#include <cmath>
#include <set>

#include "tests/runner/models/skeletons/model_cases.h"

namespace runner {
namespace {

using at::Tensor;

const at::TensorOptions kMeta = at::TensorOptions(at::kMeta).dtype(at::kFloat);

std::int64_t elements(const Model& model) {
  std::int64_t sum = 0;
  for (const ModelParameter& p : model.parameters()) sum += p.tensor.numel();
  return sum;
}

// ----- The paper's WikiText-103 models -----

struct Published {
  const char* code;
  int layers;
  std::int64_t total;
  std::int64_t stored = 0;  // per layer; stored but not used by the official layer
};
constexpr std::array kPublished = {
    Published{"1-0-1-0", 10, 43451904},
    Published{"1-1-1-0", 9, 44039680},
    Published{"1-2-1-0", 9, 43449856},
    Published{"1-3-1-0", 10, 43451904},
    Published{"1-4-1-0", 11, 44503936},
    Published{"1-5-1-0", 11, 44508160},
    Published{"1-6-1-0", 10, 44107264},
    Published{"1-7-1-0", 9, 44039680},
    Published{"1-8-1-0", 9, 43451008},
    Published{"1-9-1-0", 10, 43457024},
    Published{"1-10-1-0", 10, 43451904, 65536},
    Published{"1-11-1-0", 10, 44108544, 131072},
    Published{"ssm", 10, 43779584},
    Published{"1-1-1-4", 10, 46073344},
};

Model published_model(const Published& row, const std::string& scheme) {
  return make_model(
      model_config({std::string("model.code=") + row.code,
                    "model.layers=" + std::to_string(row.layers), "model.scheme=" + scheme}),
      50265, kMeta);
}

}  // namespace

TEST(Model, HasThePublishedTotals) {
  for (const Published& row : kPublished) {
    const Model model = published_model(row, "A");
    EXPECT_EQ(elements(model) + row.layers * row.stored, row.total) << row.code;
    EXPECT_EQ(count_of(model.plan()).total(), row.total) << row.code;
  }
}

// The paper gives scheme B's totals with two decimals only.
TEST(Model, HasThePublishedTotalsOfSchemeBToTenThousand) {
  const auto rounded = [](std::int64_t total) { return std::lround(double(total) / 1e4); };
  for (const Published& row : kPublished)
    EXPECT_EQ(rounded(elements(published_model(row, "B")) + row.layers * row.stored),
              rounded(row.total))
        << row.code;
}

TEST(Model, HasTheSizeOfZoologysForMqar) {
  const auto size = [](const std::string& d) {
    return elements(make_model(model_config({"model.skeleton=zoology", "model.code=1-1-1-0",
                                             "model.layers=2", "model.k=128", "model.d=" + d}),
                               8192, kMeta));
  };
  EXPECT_EQ(size("64"), 598912);
  EXPECT_EQ(size("256"), 2690560);
}

TEST(Model, TrainsWhatIsLearnedAndNotFrozen) {
  const auto frozen = [](const std::string& code) {
    std::set<std::string> names;
    const Model model =
        make_model(model_config({"model.code=" + code, "model.layers=1"}), 7, kMeta);
    for (const ModelParameter& p : model.parameters()) {
      EXPECT_EQ(p.tensor.requires_grad(), p.trained) << p.name;
      if (!p.trained) names.insert(p.name);
    }
    return names;
  };
  EXPECT_EQ(frozen("1-9-1-0"), std::set<std::string>{});
  EXPECT_EQ(frozen("1-9-1-0@gate=frozen"),
            (std::set<std::string>{"layers.0.mixer.oscillation.p_k.weight",
                                   "layers.0.mixer.oscillation.w_d"}));
  EXPECT_EQ(frozen("1-11-1-0"), std::set<std::string>{"layers.0.mixer.oscillation.theta_k"});
}

// ----- Initial values -----

TEST(Model, HasInitialValuesGivenBySeedAndName) {
  const auto of = [](const std::string& seed, const std::string& code) {
    return trained_by_name(make_model(
        model_config({"seed=" + seed, "model.code=" + code, "model.layers=2", "model.d=8"}), 7));
  };
  const auto a = of("1", "1-9-1-0"), b = of("1", "1-9-1-0"), other = of("1", "1-3-1-0"),
             c = of("2", "1-9-1-0");
  for (const auto& [name, tensor] : a) EXPECT_TRUE(at::equal(tensor, b.at(name))) << name;
  EXPECT_TRUE(at::equal(a.at("embedding.weight"), other.at("embedding.weight")));
  EXPECT_FALSE(at::equal(a.at("embedding.weight"), c.at("embedding.weight")));
  EXPECT_FALSE(at::equal(a.at("layers.0.glu.gate.weight"), a.at("layers.1.glu.gate.weight")));
}

namespace {

// Mean, spread and fourth moment of n draws: a normal has kurtosis 3, a uniform 9/5. The mean of n
// draws is off by about spread / sqrt(n), the means of squares and fourth powers by at most 10
// times as much; six times that never happens by chance.
void expect_draws(const Tensor& values, double spread, double kurtosis) {
  const Tensor x = values.to(at::kDouble) / spread;
  const double off = 6 / std::sqrt(static_cast<double>(x.numel()));
  EXPECT_NEAR(x.mean().item<double>(), 0, off);
  EXPECT_NEAR(x.square().mean().item<double>(), 1, 2 * off);
  EXPECT_NEAR(x.pow(4).mean().item<double>(), kurtosis, 10 * off);
}

}  // namespace

TEST(Model, InitializesWikitextAsPyTorchDoes) {
  const double d = 96, h = 128;
  const auto w = trained_by_name(make_model(
      model_config({"model.code=1-6-1-0", "model.d=96", "model.layers=1", "model.scheme=B"}), 300));
  expect_draws(w.at("embedding.weight"), 1 / std::sqrt(d), 3);
  expect_draws(w.at("layers.0.mixer.input.weight"), 1 / std::sqrt(3 * d), 1.8);
  expect_draws(w.at("layers.0.mixer.oscillation.w_kd"), 0.1, 3);
  expect_draws(w.at("layers.0.glu.gate.weight"), 1 / std::sqrt(3 * d), 1.8);
  expect_draws(w.at("layers.0.glu.gate.bias"), 1 / std::sqrt(3 * d), 1.8);
  expect_draws(w.at("layers.0.glu.output.weight"), 1 / std::sqrt(3 * h), 1.8);
  EXPECT_TRUE(at::equal(w.at("final_norm.weight"), at::ones({96})));
  EXPECT_TRUE(at::equal(w.at("layers.0.mixer.norm.bias"), at::ones({96}) * 0));
}

TEST(Model, InitializesZoologyAsZoologyDoes) {
  const auto w =
      trained_by_name(make_model(model_config({"model.skeleton=zoology", "model.family=attention",
                                               "model.d=96", "model.layers=2", "model.heads=1",
                                               "model.positions=learned", "model.state_mixer=mlp"}),
                                 300));
  expect_draws(w.at("embedding.weight"), 0.02, 3);
  expect_draws(w.at("positions.weight"), 0.02, 3);
  expect_draws(w.at("layers.1.mixer.qkv.weight"), 0.02, 3);
  expect_draws(w.at("layers.1.state_mixer.up.weight"), 0.02, 3);
  expect_draws(w.at("layers.1.mixer.output.weight"), 0.01, 3);  // 0.02 / sqrt(2 * 2)
  expect_draws(w.at("layers.1.state_mixer.down.weight"), 0.01, 3);
  for (const char* name : {"mixer.qkv.bias", "mixer.output.bias", "state_mixer.up.bias"})
    EXPECT_TRUE(w.at(std::string("layers.1.") + name).eq(0).all().item<bool>()) << name;
  EXPECT_TRUE(at::equal(w.at("layers.1.state_norm.weight"), at::ones({96})));
}

// ----- Forward and backward -----

namespace {

// Moves every tensor along a random direction: the slope is its gradient's component there.
void expect_slopes(const std::function<Tensor()>& loss,
                   const std::map<std::string, Tensor>& weights) {
  std::vector<Tensor> leaves;
  for (const auto& [name, tensor] : weights) leaves.push_back(tensor);
  const auto gradients = torch::autograd::grad({loss()}, leaves);
  const at::NoGradGuard none;
  for (std::size_t n = 0; n < leaves.size(); ++n) {
    const Tensor along = lcsm::random_input(1, 1, leaves[n].numel(), n).view(leaves[n].sizes());
    const double h = 1e-5, slope = (gradients[n] * along).sum().item<double>();
    leaves[n].add_(along, h);
    const double up = loss().item<double>();
    leaves[n].sub_(along, 2 * h);
    const double down = loss().item<double>();
    leaves[n].add_(along, h);
    // The sum is of size 100 with 13 accurate digits: 1e-6 of the quotient, plus h^2 for curvature.
    EXPECT_NEAR((up - down) / (2 * h), slope, 1e-5 * (1 + std::abs(slope)))
        << std::next(weights.begin(), static_cast<std::ptrdiff_t>(n))->first;
  }
}

}  // namespace

TEST(Model, MatchesFiniteDifferences) {
  for (const auto& settings : kinds_of_models()) {
    SCOPED_TRACE(settings[0] + " " + settings.back());
    const Model model = small_model(settings);
    const Tensor tokens = some_tokens(2, 5, 6), by = lcsm::random_input(2, 5, 6, 77);
    Dropout none;
    const auto loss = [&] { return (model.logits(model.hidden({tokens}, none)) * by).sum(); };
    expect_slopes(loss, trained_by_name(model));
  }
}

TEST(Model, ScoresSomeRowsAsItScoresAll) {
  const Model model = small_model({"model.code=1-9-1-4", "model.k=3"});
  Dropout none;
  const Tensor h = model.hidden({some_tokens(3, 5, 6)}, none), all = model.logits(h);
  EXPECT_EQ(all.sizes(), (at::IntArrayRef{3, 5, 6}));
  const Tensor rows = some_tokens(3, 5, 6).eq(1);
  // The product of fewer rows may be summed in a different order.
  EXPECT_LT((model.logits(h.index({rows})) - all.index({rows})).abs().max().item<double>(), 1e-13);
}

TEST(Model, DropsTheSameElementsForTheSameSeed) {
  for (const std::string skeleton : {"wikitext", "zoology"}) {
    const Model model = small_model({"model.code=1-9-1-4", "model.k=3", "model.dropout=0.2",
                                     "model.embedding_dropout=0.1", "model.skeleton=" + skeleton});
    const auto hidden = [&](std::uint64_t seed) {
      Dropout dropout(seed, 1);
      return model.hidden({some_tokens(2, 5, 6)}, dropout);
    };
    Dropout none;
    EXPECT_TRUE(at::equal(hidden(1), hidden(1)));
    EXPECT_FALSE(at::equal(hidden(1), hidden(2)));
    EXPECT_FALSE(at::equal(hidden(1), model.hidden({some_tokens(2, 5, 6)}, none)));
  }
}

TEST(Model, IsNearFloat32UnderAutocast) {
  for (const auto& settings : kinds_of_models()) {
    SCOPED_TRACE(settings[0] + " " + settings.back());
    auto words = settings;
    words.insert(words.end(), {"model.d=32", "model.layers=2", "model.dropout=0"});
    const Model model = make_model(model_config(words), 50);
    const Tensor tokens = some_tokens(2, 16, 50);
    Dropout none;
    const Tensor exact = model.logits(model.hidden({tokens}, none));
    at::autocast::set_autocast_enabled(at::kCPU, true);
    const Tensor rough = model.logits(model.hidden({tokens}, none));
    at::autocast::set_autocast_enabled(at::kCPU, false);
    at::autocast::clear_cache();
    EXPECT_EQ(rough.scalar_type(), at::kBFloat16);
    // bfloat16 has eight bits: 0.4 % per rounding, about a dozen roundings.
    EXPECT_LT(((rough - exact).norm() / exact.norm()).item<double>(), 0.05);
    for (const Tensor& g : torch::autograd::grad({rough.sum()}, {model.embedding()}))
      EXPECT_TRUE(g.scalar_type() == at::kFloat && g.isfinite().all().item<bool>());
  }
}

TEST(Model, RejectsInvalidTokens) {
  const Model model = small_model({"model.code=1-9-1-4", "model.positions=learned"});
  Dropout none;
  EXPECT_THROW(model.hidden({at::ones({2, 5})}, none), std::invalid_argument);
  EXPECT_THROW(model.hidden({at::ones({5}, at::kLong)}, none), std::invalid_argument);
  EXPECT_THROW(model.hidden({at::ones({2, 6}, at::kLong)}, none), std::invalid_argument);
  EXPECT_NO_THROW(model.hidden({at::ones({2, 4}, at::kLong)}, none));
}

}  // namespace runner
