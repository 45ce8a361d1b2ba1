// MEGA's gated attention beyond the properties of every layer: which step sees which.
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "ets/families/family.h"
#include "ets/layer/part.h"
#include "lcsm/layer/layer.h"
#include "tests/ets/layer/family_cases.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/message_of.h"

namespace ets {
namespace {

using at::Tensor;

lcsm::Block mega(const std::vector<std::string>& settings) {
  std::vector<std::string> all = {"modes=2", "positions=32"};
  all.insert(all.end(), settings.begin(), settings.end());
  return FamilyCase{"mega", all}.variant();
}

// With the initial values the attention would be too small to detect.
lcsm::Weights large_weights(const lcsm::Block& v) {
  lcsm::Weights weights = weights_of(v);
  for (auto& [name, tensor] : weights) tensor = 10 * tensor.detach();
  return weights;
}

// True if changing step `changed` of 20 changes the output at step `seen`.
bool depends(const lcsm::Block& v, std::int64_t seen, std::int64_t changed) {
  const lcsm::Weights weights = large_weights(v);
  const Tensor x = lcsm::random_input(1, 20, v.d, 3), other = x.clone();
  other.select(1, changed).neg_();
  const auto at_seen = [&](const Tensor& in) {
    return layer_forward(v, weights, in).output.select(1, seen);
  };
  return relative_error(at_seen(other), at_seen(x)) > 1e-13;
}

// The weight of each value by the formula, entry by entry, for one sequence in chunks of c.
std::vector<double> weights_at(const std::string& kind, const Tensor& s, const Tensor& padding,
                               std::int64_t i, std::int64_t c) {
  std::vector<double> w(static_cast<std::size_t>(s.size(0)), 0);
  double sum = 0;
  for (std::int64_t j = i - i % c; j <= i; ++j) {
    if (padding[j].item<bool>()) continue;
    const double score = s[i][j].item<double>();
    double& at_j = w[static_cast<std::size_t>(j)];
    if (kind == "softmax") at_j = std::exp(score);
    if (kind == "relu2") at_j = score > 0 ? score * score : 0;
    if (kind == "laplace")
      at_j = (1 + std::erf((score - 0.707107) / (0.282095 * std::sqrt(2)))) / 2;
    sum += at_j;
  }
  for (double& at_j : w) at_j /= kind == "softmax" ? sum : 1;
  return w;
}

// The formula for one causal sequence with the bias of distances.
Tensor by_formula(const lcsm::Block& v, const lcsm::Weights& w, const Tensor& x,
                  const Tensor& padding) {
  const std::string& kind = v.options.text("attention");
  const std::int64_t c = v.as<Mega>().chunk, T = x.size(1), z = w.at("scale").size(1);
  const Tensor values = at::silu(lcsm::project(w, "value", x))[0];
  const auto averages = [&] {
    return layer_forward(part_block(v.as<Mega>().averages(), v.d), part_of(w, "average."), x,
                         {.padding = padding, .backend = lcsm::Backend::kReference})
        .output;
  };
  const Tensor m = v.as<Mega>().modes == 0 ? x : averages();
  const Tensor base = lcsm::project(w, "base", m)[0], turned = at::silu(base);
  const Tensor q = turned.narrow(1, v.d, z) * w.at("scale")[0] + w.at("shift")[0],
               k = turned.narrow(1, v.d, z) * w.at("scale")[1] + w.at("shift")[1];
  Tensor s = at::matmul(q, k.t()).clone(), read = at::zeros_like(values);
  for (std::int64_t i = 0; i < T; ++i) {
    s[i] /= kind == "softmax" ? std::sqrt(static_cast<double>(z)) : static_cast<double>(i % c + 1);
    for (std::int64_t j = i - i % c; j <= i; ++j) s[i][j] += w.at("distance")[c - 1 + j - i];
    const std::vector<double> row = weights_at(kind, s, padding[0], i, c);
    for (std::int64_t j = 0; j < T; ++j) read[i] += row[static_cast<std::size_t>(j)] * values[j];
  }
  const Tensor r = turned.narrow(1, v.d + z, values.size(1)),
               h = base.narrow(1, base.size(1) - v.d, v.d);
  return at::sigmoid(base.narrow(1, 0, v.d)) *
         (at::silu(h + lcsm::project(w, "hidden", r * read)) - x[0]);
}

}  // namespace

// With padding in front: causal scores are divided by the number of steps so far, including
// padding.
TEST(Mega, IsItsFormulaBehindPadding) {
  const at::NoGradGuard no_gradients;
  for (const auto& [kind, modes] : {std::pair{"softmax", "modes=2"},
                                    {"relu2", "modes=2"},
                                    {"laplace", "modes=2"},
                                    {"softmax", "modes=0"}}) {
    const lcsm::Block v =
        FamilyCase{"mega", {"chunk=5", std::string("attention=") + kind, modes}}.variant();
    const lcsm::Weights weights = large_weights(v);
    EXPECT_EQ(weights.contains("average.shrink"), std::string(modes) == "modes=2");
    const Tensor x = lcsm::random_input(1, 13, v.d, 8);
    const Tensor padding = at::cat({at::ones({1, 2}, at::kBool), at::zeros({1, 11}, at::kBool)}, 1);
    const Tensor got = layer_forward(v, weights, x, {.padding = padding}).output[0];
    EXPECT_LE(
        relative_error(got.narrow(0, 2, 11), by_formula(v, weights, x, padding).narrow(0, 2, 11)),
        1e-13)
        << kind;
  }
}

TEST(Mega, SeesLaterStepsByItsAveragesOrByItsAttention) {
  for (const char* kind : {"softmax", "relu2", "laplace"}) {
    const std::string attention = std::string("attention=") + kind;
    for (const auto& [both, causal, later] :
         {std::tuple{"bidirectional=false", "causal=true", false},
          {"bidirectional=true", "causal=true", true},
          {"bidirectional=false", "causal=false", true},
          {"bidirectional=true", "causal=false", true}}) {
      SCOPED_TRACE(attention + " " + both + " " + causal);
      const lcsm::Block v = mega({attention, both, causal});
      EXPECT_EQ(lcsm::sees_later_steps(*v.row, v.options), later);
      EXPECT_EQ(depends(v, 7, 8), later);
      EXPECT_TRUE(depends(v, 8, 7));
    }
  }
}

// Averages of one step (of which the kernel is cut off) leave the attention to look back.
TEST(Mega, AttendsWithinAChunk) {
  const lcsm::Block v = mega({"chunk=6", "truncation=1"});
  EXPECT_TRUE(depends(v, 11, 6));
  EXPECT_FALSE(depends(v, 12, 11));
  EXPECT_TRUE(depends(mega({"truncation=1"}), 12, 11));
}

// Padding before a sequence, with chunks of nothing else and, causal, steps that see nothing.
TEST(Mega, StaysFiniteWherePaddingSeesNothing) {
  for (const char* kind : {"softmax", "relu2", "laplace"})
    for (const char* causal : {"causal=true", "causal=false"}) {
      const lcsm::Block v = mega({std::string("attention=") + kind, causal, "chunk=4"});
      const lcsm::Weights weights = weights_of(v);
      const Tensor x = lcsm::random_input(1, 10, v.d, 4).requires_grad_();
      const Tensor padding =
          at::cat({at::ones({1, 6}, at::kBool), at::zeros({1, 4}, at::kBool)}, 1);
      const Tensor y = layer_forward(v, weights, x, {.padding = padding}).output;
      y.narrow(1, 6, 4).sum().backward();
      EXPECT_TRUE(y.isfinite().all().item<bool>());
      EXPECT_TRUE(x.grad().isfinite().all().item<bool>());
      EXPECT_TRUE(weights.at("base.weight").grad().isfinite().all().item<bool>());
    }
}

TEST(Mega, ReturnsWhatIsAddedToTheResidual) {
  const lcsm::Block v = mega({});
  const lcsm::Weights weights = weights_of(v);
  const Tensor x = lcsm::random_input(2, 9, v.d, 5), r = lcsm::random_input(2, 9, v.d, 6);
  const auto y = [&](const lcsm::BlockContext& context) {
    return layer_forward(v, weights, x, context).output;
  };
  EXPECT_LE(relative_error(y({.residual = x}), y({})), 0);
  // y = u (h - r): the gate u is what r is multiplied by.
  const Tensor gate = (y({.residual = r}) - y({})) / (x - r);
  EXPECT_GT(gate.min().item<double>(), 0);
  EXPECT_LT(gate.max().item<double>(), 1);
}

TEST(Mega, DropsAveragesAndTheOutput) {
  const lcsm::Block v = mega({});
  std::vector<std::vector<std::int64_t>> shapes;
  const auto drop = [&](const Tensor& y) {
    shapes.push_back(y.sizes().vec());
    return y * 0;
  };
  const Tensor x = lcsm::random_input(1, 5, v.d, 7);
  // Without averages W_m m is its bias, 0: u is 1/2, and h is dropped.
  EXPECT_LE(relative_error(layer_forward(v, weights_of(v), x, {.drop = drop}).output, -0.5 * x),
            1e-15);
  EXPECT_EQ(shapes, (std::vector<std::vector<std::int64_t>>(2, {1, 5, v.d})));
}

TEST(Mega, RefusesWhatItHasNoBiasFor) {
  const auto refusal = [](const std::vector<std::string>& settings, std::int64_t T) {
    return message_of<std::invalid_argument>([&] {
      const lcsm::Block v = mega(settings);
      layer_forward(v, weights_of(v), lcsm::random_input(1, T, v.d, 1));
    });
  };
  EXPECT_EQ(refusal({}, 33),
            "mega: option 'positions': expected at least the 33 steps of the sequence, got 32");
  EXPECT_EQ(refusal({"chunk=8"}, 33), "");
  EXPECT_EQ(refusal({"bias=none"}, 33), "");
  EXPECT_EQ(refusal({"bias=rotary", "z=3"}, 4),
            "mega: option 'z': expected an even number with bias=rotary, got 3");
}

// A deterministic "dropout": squares, which keep the weights of unseen steps at 0.
TEST(Mega, DropsWeightsAndValuesAsItsDefinition) {
  for (const char* kind : {"softmax", "laplace"}) {
    const lcsm::Block v = mega({"chunk=8", std::string("attention=") + kind,
                                "attention_dropout=0.3", "hidden_dropout=0.2"});
    const lcsm::Weights weights = large_weights(v);
    const Tensor x = lcsm::random_input(2, 20, v.d, 3);
    std::vector<Tensor> results;
    for (const lcsm::Backend backend : {lcsm::Backend::kReference, lcsm::Backend::kMachine}) {
      std::vector<double> shares;
      lcsm::BlockContext context;
      context.backend = backend;
      context.drop_share = [&shares](const Tensor& a, double share) {
        shares.push_back(share);
        return a.square();
      };
      const Tensor in = x.clone().requires_grad_();
      const Tensor y = layer_forward(v, weights, in, context).output;
      y.square().sum().backward();
      results.insert(results.end(), {y, in.grad()});
      ASSERT_GE(shares.size(), 2u);
      EXPECT_EQ(shares[0], 0.2);
      for (std::size_t n = 1; n < shares.size(); ++n) EXPECT_EQ(shares[n], 0.3);
    }
    EXPECT_LE(relative_error(results[2], results[0]), 1e-11) << kind;
    EXPECT_LE(relative_error(results[3], results[1]), 1e-10) << kind;
    EXPECT_GT(relative_error(results[0], layer_forward(v, weights, x).output), 1e-3) << kind;
  }
}

TEST(Mega, OfShareZeroDrawsNoMask) {
  int calls = 0;
  lcsm::BlockContext context;
  context.drop_share = [&calls](const Tensor& a, double) { return ++calls, a; };
  const auto run = [&](const FamilyCase& of) {
    const lcsm::Block v = of.variant();
    layer_forward(v, weights_of(v), lcsm::random_input(1, 9, v.d, 3), context);
  };
  run({"mega", {}});
  run({"mega-feed", {}});
  EXPECT_EQ(calls, 0);
  run({"mega-feed", {"hidden_dropout=0.1"}});
  EXPECT_EQ(calls, 1);
}

}  // namespace ets
