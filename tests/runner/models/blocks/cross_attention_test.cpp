#include "runner/models/blocks/cross_attention.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "lcsm/layer/layer.h"
#include "tests/message_of.h"

namespace runner {
namespace {

using at::Tensor;

constexpr std::int64_t kChannels = 6;

Cross cross_named(const std::string& system) {
  return cross_of(mixer_of(parse_system(system), kChannels));
}

lcsm::Weights cross_weights(const Cross& cross) {
  lcsm::Weights weights;
  at::manual_seed(5);
  for (const lcsm::Parameter& tensor : tensors_of(cross, kChannels))
    weights[tensor.name] = at::randn(tensor.shape, at::kDouble).requires_grad_(true);
  return weights;
}

// The equations with a loop over steps, heads and sources, without padded sources.
Tensor plain_cross(std::int64_t heads, const lcsm::Weights& w, const Tensor& x,
                   const EncodedSource& source) {
  const std::int64_t width = kChannels / heads;
  std::vector<Tensor> batch;
  for (std::int64_t b = 0; b < x.size(0); ++b) {
    std::vector<Tensor> steps;
    for (std::int64_t t = 0; t < x.size(1); ++t) {
      const Tensor q = at::matmul(w.at("query.weight"), x[b][t]) + w.at("query.bias");
      std::vector<Tensor> parts;
      for (std::int64_t h = 0; h < heads; ++h) {
        Tensor sum = at::zeros({width}, at::kDouble), all = at::zeros({}, at::kDouble);
        for (std::int64_t j = 0; j < source.output.size(1); ++j) {
          if (source.padding.defined() && source.padding[b][j].item<bool>()) continue;
          const Tensor s = source.output[b][j];
          const auto of_head = [&](const char* name, const Tensor& from) {
            return (at::matmul(w.at(std::string(name) + ".weight"), from) +
                    w.at(std::string(name) + ".bias"))
                .narrow(0, h * width, width);
          };
          const Tensor weight = at::exp(at::dot(q.narrow(0, h * width, width), of_head("key", s)) /
                                        std::sqrt(static_cast<double>(width)));
          sum = sum + weight * of_head("value", s);
          all = all + weight;
        }
        parts.push_back(sum / all);
      }
      steps.push_back(at::matmul(w.at("output.weight"), at::cat(parts)) + w.at("output.bias"));
    }
    batch.push_back(at::stack(steps));
  }
  return at::stack(batch);
}

double cross_laplace(double s) {
  return 0.5 * (1 + std::erf((s - 0.707107) / (0.282095 * std::sqrt(2))));
}

// MEGA's equations, a step and a source at a time; without gradients.
Tensor plain_gated(const std::string& kind, const lcsm::Weights& w, const Tensor& x,
                   const EncodedSource& source, const Tensor& residual) {
  const std::int64_t z = w.at("key.weight").size(0), zero = (w.at("distance").size(0) - 1) / 2;
  const auto linear = [&](const std::string& name, const Tensor& from) {
    return at::matmul(w.at(name + ".weight"), from) + w.at(name + ".bias");
  };
  Tensor out = at::empty_like(x);
  for (std::int64_t b = 0; b < x.size(0); ++b)
    for (std::int64_t t = 0; t < x.size(1); ++t) {
      const Tensor base = linear("query", x[b][t]);
      const Tensor u = at::sigmoid(base.narrow(0, 0, kChannels)),
                   r = at::silu(base.narrow(0, kChannels, kChannels)),
                   q = base.narrow(0, 2 * kChannels, z);
      std::vector<std::int64_t> there;
      for (std::int64_t j = 0; j < source.output.size(1); ++j)
        if (!source.padding.defined() || !source.padding[b][j].item<bool>()) there.push_back(j);
      std::vector<double> weights;
      double all = 0;
      for (const std::int64_t j : there) {
        const double product = at::dot(q, linear("key", source.output[b][j])).item<double>(),
                     bias = w.at("distance")[zero + j - t].item<double>();
        const double s = kind == "softmax" ? product / std::sqrt(static_cast<double>(z)) + bias
                                           : product / static_cast<double>(there.size()) + bias;
        weights.push_back(kind == "softmax" ? std::exp(s) : cross_laplace(s));
        all += weights.back();
      }
      Tensor read = at::zeros({kChannels}, at::kDouble);
      for (std::size_t n = 0; n < there.size(); ++n)
        read = read + weights[n] / (kind == "softmax" ? all : 1) *
                          at::silu(linear("value", source.output[b][there[n]]));
      out[b][t].copy_(u * (at::silu(linear("hidden", read * r)) - residual[b][t]));
    }
  return out;
}

struct CrossInputs {
  Tensor x = at::randn({2, 3, kChannels}, at::kDouble);
  Tensor residual = at::randn({2, 3, kChannels}, at::kDouble);
  EncodedSource source{at::randn({2, 5, kChannels}, at::kDouble)};

  explicit CrossInputs(bool padded) {
    if (!padded) return;
    source.padding = at::zeros({2, 5}, at::kBool);
    source.padding[1].slice(0, 2).fill_(true);
  }
};

double largest_difference(const Tensor& a, const Tensor& b) {
  return (a - b).abs().max().item<double>();
}

}  // namespace

TEST(CrossAttention, IsItsDefinition) {
  for (const bool padded : {false, true})
    for (const std::int64_t heads : {1, 2, 3}) {
      const Cross cross = cross_named("transformer@positions=none,heads=" + std::to_string(heads));
      const lcsm::Weights weights = cross_weights(cross);
      CrossInputs given(padded);
      given.x.requires_grad_(true);
      given.source.output.requires_grad_(true);
      const Tensor ours = cross_forward(cross, weights, given.x, given.source, {}),
                   plain = plain_cross(heads, weights, given.x, given.source);
      EXPECT_LT(largest_difference(ours, plain), 1e-12) << padded << heads;
      std::vector<Tensor> leaves = {given.x, given.source.output};
      for (const auto& [name, tensor] : weights) leaves.push_back(tensor);
      const auto d_ours = torch::autograd::grad({ours.square().sum()}, leaves),
                 d_plain = torch::autograd::grad({plain.square().sum()}, leaves);
      for (std::size_t i = 0; i < leaves.size(); ++i)
        EXPECT_LT(largest_difference(d_ours[i], d_plain[i]), 1e-10) << padded << heads << i;
    }
}

TEST(GatedCrossAttention, IsItsDefinition) {
  for (const bool padded : {false, true})
    for (const std::string kind : {"softmax", "laplace"}) {
      const Cross cross = cross_named("mega@positions=7,z=4,attention=" + kind);
      const lcsm::Weights weights = cross_weights(cross);
      const CrossInputs given(padded);
      lcsm::BlockContext context;
      context.residual = given.residual;
      const Tensor ours = cross_forward(cross, weights, given.x, given.source, context);
      EXPECT_LT(largest_difference(
                    ours, plain_gated(kind, weights, given.x, given.source, given.residual)),
                1e-12)
          << padded << kind;
      context.residual.reset();
      EXPECT_LT(largest_difference(cross_forward(cross, weights, given.x, given.source, context),
                                   plain_gated(kind, weights, given.x, given.source, given.x)),
                1e-12)
          << "the input is the residual";
    }
}

// By finite differences: the definition above has no gradients.
TEST(GatedCrossAttention, HasTheGradientsOfItsValues) {
  const Cross cross = cross_named("mega@positions=7,z=4,attention=laplace");
  lcsm::Weights weights = cross_weights(cross);
  CrossInputs given(true);
  given.source.output.requires_grad_(true);
  const auto loss = [&] {
    return cross_forward(cross, weights, given.x, given.source, {}).square().sum();
  };
  std::vector<Tensor> leaves = {given.source.output};
  for (const auto& [name, tensor] : weights) leaves.push_back(tensor);
  const auto gradients = torch::autograd::grad({loss()}, leaves);
  const at::NoGradGuard raw;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Tensor direction = at::randn_like(leaves[i]);
    constexpr double kStep = 1e-6;
    leaves[i].add_(direction, kStep);
    const double above = loss().item<double>();
    leaves[i].add_(direction, -2 * kStep);
    const double below = loss().item<double>();
    leaves[i].add_(direction, kStep);
    const double expected = (gradients[i] * direction).sum().item<double>();
    EXPECT_NEAR((above - below) / (2 * kStep), expected, 1e-5 * (1 + std::abs(expected))) << i;
  }
}

TEST(CrossAttention, IsRefusedBeyondItsPositionsAndForOtherMixers) {
  const Cross cross = cross_named("mega@positions=4,z=4");
  const CrossInputs given(false);
  EXPECT_NE(message_of<std::invalid_argument>([&] {
              cross_forward(cross, cross_weights(cross), given.x, given.source, {});
            }).find("expected at least 5"),
            std::string::npos);
  EXPECT_NE(message_of<std::invalid_argument>([] { cross_named("hgrn"); }).find("got hgrn"),
            std::string::npos);
}

// The bias covers all distances, even if the decoder attends in chunks.
TEST(CrossAttention, SeesTheWholeSource) {
  const Cross cross = cross_named("mega-chunk@chunk=2,positions=7,z=4");
  const CrossInputs given(false);
  const lcsm::Weights weights = cross_weights(cross);
  EXPECT_EQ(weights.at("distance").size(0), 13);
  EXPECT_EQ(cross_forward(cross, weights, given.x, given.source, {}).sizes(), given.x.sizes());
}

}  // namespace runner
