#include "runner/models/skeletons/encoder_decoder.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include "runner/models/blocks/block.h"
#include "runner/models/skeletons/stages.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/skeletons/model_config.h"

namespace runner {
namespace {

using at::Tensor;

constexpr std::int64_t kVocabulary = 7;

const std::vector<std::string> kSystems = {
    "transformer@heads=2,positions=none",
    "transformer@heads=2,positions=none,norm_place=post",
    "transformer@heads=2,positions=none,norm_place=pre-only",
    "mega@modes=2,positions=8",
    "mega@modes=2,positions=8,attention=laplace,norm_place=post",
    "mega-chunk@chunk=2,modes=2,positions=8"};

RunConfig translation_config(const std::string& system, const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings = {"task.name=phrases", "task.length=8",
                                       "model.d=4",         "model.layers=2",
                                       "model.dropout=0",   "model.system=" + system};
  settings.insert(settings.end(), more.begin(), more.end());
  return parse_config("", "", settings, [](const std::string&) {});
}

Model translation_model(const RunConfig& config) {
  Model model = make_model(config, kVocabulary, at::kDouble);
  const at::NoGradGuard none;
  std::uint64_t seed = 1;
  for (const ModelParameter& p : model.parameters())
    p.tensor.copy_((p.name.find("norm.weight") != std::string::npos ? 1 : 0) +
                   0.5 * lcsm::random_input(1, 1, p.tensor.numel(), seed++).view(p.tensor.sizes()));
  return model;
}

Inputs some_sentences(bool padded) {
  at::manual_seed(3);
  Inputs inputs{at::randint(kVocabulary, {2, 4}, at::kLong)};
  inputs.source = at::randint(kVocabulary, {2, 5}, at::kLong);
  if (!padded) return inputs;
  inputs.padding = at::zeros({2, 4}, at::kBool);
  inputs.padding[1].slice(0, 2).fill_(true);
  inputs.source_padding = at::zeros({2, 5}, at::kBool);
  inputs.source_padding[0].slice(0, 3).fill_(true);
  return inputs;
}

double largest_difference_of(const Tensor& a, const Tensor& b) {
  return (a - b).abs().max().item<double>();
}

// ----- The model, written out from its blocks' own definitions -----

Tensor layer_normed(const lcsm::Weights& w, const Tensor& x) {
  return at::layer_norm(x, {x.size(-1)}, w.at("weight"), w.at("bias"), 1e-5);
}

struct Plain {
  const Model& model;
  std::string norm_place;
  bool post = norm_place == "post";

  Tensor unit(
      std::size_t n, const std::string& name, const Tensor& x,
      const std::function<Tensor(const lcsm::Weights&, const Tensor&, const Tensor&)>& of) const {
    const Parts& parts = model.layers()[n];
    const lcsm::Weights& norm = parts.at(name + "_norm");
    const Tensor sum = x + of(parts.at(name), post ? x : layer_normed(norm, x), x);
    return post ? layer_normed(norm, sum) : sum;
  }
  Tensor block(std::size_t n, const std::string& name, const lcsm::Block& of, const Tensor& x,
               const Tensor& padding) const {
    return unit(n, name, x, [&](const lcsm::Weights& w, const Tensor& in, const Tensor& residual) {
      lcsm::BlockContext context;
      context.padding = padding;
      context.backend = lcsm::Backend::kReference;
      context.residual = residual;
      return block_forward(of, w, in, context).output;
    });
  }
  Tensor embedded(const Tensor& tokens, const Tensor& padding) const {
    const Tensor x = 2 * at::embedding(model.embedding(), tokens);  // the root of d = 4
    return padding.defined() ? x.masked_fill(padding.unsqueeze(2), 0) : x;
  }
  Tensor end(const std::string& name, const Tensor& x) const {
    return norm_place == "pre" ? layer_normed(model.around().at(name), x) : x;
  }
  Tensor hidden(const Inputs& inputs) const {
    const ModelPlan& plan = model.plan();
    Tensor s = embedded(inputs.source, inputs.source_padding);
    for (std::size_t n = 0; n < 2; ++n) {
      s = block(n, "mixer", plan.blocks[n].mixer, s, inputs.source_padding);
      s = block(n, "feed", *plan.blocks[n].feed, s, inputs.source_padding);
    }
    const EncodedSource source{end("encoder_norm", s), inputs.source_padding};
    Tensor x = embedded(inputs.values, inputs.padding);
    for (std::size_t n = 0; n < 2; ++n) {
      x = block(n, "decoder_mixer", plan.blocks[n].decoder->mixer, x, inputs.padding);
      x = unit(n, "cross", x,
               [&](const lcsm::Weights& w, const Tensor& in, const Tensor& residual) {
                 lcsm::BlockContext context;
                 context.residual = residual;
                 return cross_forward(plan.blocks[n].decoder->cross, w, in, source, context);
               });
      x = block(n, "decoder_feed", *plan.blocks[n].feed, x, inputs.padding);
    }
    return end("final_norm", x);
  }
};

}  // namespace

TEST(EncoderDecoder, IsItsDefinition) {
  for (const std::string& system : kSystems)
    for (const bool padded : {false, true}) {
      const RunConfig config = translation_config(system);
      const Model model = translation_model(config);
      const Inputs inputs = some_sentences(padded);
      Dropout none;
      const Tensor ours = model.hidden(inputs, none),
                   plain = Plain{model, config.system()->norm_place}.hidden(inputs);
      const Tensor there =
          padded ? inputs.padding.logical_not().unsqueeze(2).to(at::kDouble) : at::ones({1});
      EXPECT_LT(largest_difference_of(ours * there, plain * there), 1e-11) << system << padded;
    }
}

// The decoder never sees later tokens of the target; the encoder sees all of the source.
TEST(EncoderDecoder, SeesTheSourceAndThePast) {
  for (const std::string& system : kSystems) {
    const Model model = translation_model(translation_config(system));
    Dropout none;
    Inputs inputs = some_sentences(false);
    const Tensor before = model.hidden(inputs, none);
    Inputs later = inputs;
    later.values = inputs.values.clone();
    later.values.select(1, 3).add_(1).remainder_(kVocabulary);
    const Tensor after = model.hidden(later, none);
    EXPECT_LT(largest_difference_of(before.narrow(1, 0, 3), after.narrow(1, 0, 3)), 1e-12)
        << system;
    EXPECT_GT(largest_difference_of(before.select(1, 3), after.select(1, 3)), 1e-6) << system;
    Inputs other = inputs;
    other.source = inputs.source.clone();
    other.source.select(1, 4).add_(1).remainder_(kVocabulary);
    const Tensor read = model.hidden(other, none);
    for (std::int64_t t = 0; t < 4; ++t)
      EXPECT_GT(largest_difference_of(before.select(1, t), read.select(1, t)), 1e-9) << system << t;
  }
}

// Padding of a batch changes nothing.
TEST(EncoderDecoder, DoesNotSeePadding) {
  for (const std::string& system : kSystems) {
    const Model model = translation_model(translation_config(system));
    Dropout none;
    const Inputs both = some_sentences(true);
    const Tensor together = model.hidden(both, none);
    Inputs first{both.values.narrow(0, 0, 1)}, second{both.values.narrow(0, 1, 1).narrow(1, 0, 2)};
    first.source = both.source.narrow(0, 0, 1).narrow(1, 0, 3);
    second.source = both.source.narrow(0, 1, 1);
    EXPECT_LT(largest_difference_of(model.hidden(first, none)[0], together[0]), 1e-11) << system;
    EXPECT_LT(largest_difference_of(model.hidden(second, none)[0], together[1].narrow(0, 0, 2)),
              1e-11)
        << system;
  }
}

TEST(EncoderDecoder, HasTheTensorsOfItsPlan) {
  for (const std::string& system : kSystems) {
    const RunConfig config = translation_config(system);
    const Model model = translation_model(config);
    std::int64_t count = 0;
    for (const ModelParameter& p : model.parameters()) count += p.tensor.numel();
    EXPECT_EQ(count, count_of(plan_model(config, kVocabulary)).total()) << system;
  }
}

// sin and cos of t / 10000^(c / (d/2 - 1)), channel c of each half.
TEST(Sinusoids, ArePositions) {
  const RunConfig config = translation_config("transformer@heads=2,positions=none,norm_place=post",
                                              {"model.positions=sinusoidal"});
  const Model model = translation_model(config);
  const Inputs inputs = some_sentences(false);
  const Tensor x = embedded(model, inputs, 2) - 2 * at::embedding(model.embedding(), inputs.values);
  for (std::int64_t t = 0; t < 4; ++t) {
    const auto value = static_cast<double>(t);
    const double expected[] = {std::sin(value), std::sin(value / 10000), std::cos(value),
                               std::cos(value / 10000)};
    for (std::int64_t c = 0; c < 4; ++c)
      EXPECT_NEAR(x[1][t][c].item<double>(), expected[c], 1e-12) << t << c;
  }
}

}  // namespace runner
