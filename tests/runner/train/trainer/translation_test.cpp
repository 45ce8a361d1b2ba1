#include "runner/train/trainer/translation.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <cmath>

#include "runner/config/run/run_id.h"
#include "runner/data/datasets/data_file_writer.h"
#include "runner/data/datasets/making.h"
#include "runner/data/tasks/task.h"
#include "runner/train/trainer/evaluation.h"
#include "runner/train/trainer/sampling.h"
#include "tests/message_of.h"
#include "tests/runner/run_program.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

using at::Tensor;

constexpr std::int64_t kTokens = 5;

Model some_translator(const std::string& system) {
  const RunConfig config =
      parse_config("", "",
                   {"task.name=phrases", "task.length=16", "model.d=4", "model.layers=1",
                    "model.dropout=0", "model.system=" + system},
                   [](const std::string&) {});
  Model model = make_model(config, kTokens, at::kDouble);
  at::manual_seed(11);
  const at::NoGradGuard none;
  for (const ModelParameter& p : model.parameters()) p.tensor.copy_(at::randn_like(p.tensor));
  return model;
}

Inputs sources(std::int64_t count) {
  at::manual_seed(4);
  Inputs inputs;
  inputs.source = at::randint(1, kTokens, {count, 6}, at::kLong);
  inputs.source_padding = at::zeros({count, 6}, at::kBool);
  for (std::int64_t b = 1; b < count; ++b) inputs.source_padding[b].slice(0, 7 - b).fill_(true);
  return inputs;
}

Inputs one_source(const Inputs& all, std::int64_t row) {
  const std::int64_t there = 6 - all.source_padding[row].sum().item<std::int64_t>();
  Inputs one;
  one.source = all.source.narrow(0, row, 1).narrow(1, 0, there);
  return one;
}

// log p of each token after the beginning, [V], for a sentence alone.
Tensor after(const Model& model, const Inputs& source, const Translation& beginning) {
  Dropout none;
  Inputs inputs = source;
  inputs.values = at::zeros({1, static_cast<std::int64_t>(beginning.size()) + 1}, at::kLong);
  for (std::size_t t = 0; t < beginning.size(); ++t)
    inputs.values[0][static_cast<std::int64_t>(t) + 1] = static_cast<std::int64_t>(beginning[t]);
  const Tensor h = model.hidden(inputs, none);
  return at::log_softmax(model.logits(h[0][-1]), 0);
}

// The best of all translations of at most `longest` tokens with </s>.
struct Best {
  Translation tokens;
  double score = -1e300;
};
void try_all(const Model& model, const Inputs& source, const BeamSearch& search,
             const Translation& beginning, double score, Best* best) {
  const Tensor next = after(model, source, beginning);
  const auto length = static_cast<std::int64_t>(beginning.size()) + 1;
  const double whole = (score + next[0].item<double>()) /
                       std::pow(static_cast<double>(length), search.length_penalty);
  if (whole > best->score) *best = {beginning, whole};
  if (length == search.longest) return;
  for (std::int64_t token = 1; token < kTokens; ++token) {
    Translation longer = beginning;
    longer.push_back(static_cast<std::uint32_t>(token));
    try_all(model, source, search, longer, score + next[token].item<double>(), best);
  }
}

const std::vector<std::string> kTranslators = {"transformer@positions=none,heads=2",
                                               "mega@modes=2,z=4,positions=16,attention=laplace"};

}  // namespace

// A beam as wide as the number of all prefixes finds the best of all translations.
TEST(BeamSearch, WideEnoughIsExhaustive) {
  for (const std::string& system : kTranslators) {
    const Model model = some_translator(system);
    const at::NoGradGuard raw;
    const Inputs all = sources(3);
    for (const double penalty : {0.0, 1.0}) {
      const BeamSearch search{200, penalty, 4};
      const std::vector<Translation> found = translations(model, all, search);
      for (std::int64_t row = 0; row < 3; ++row) {
        Best best;
        try_all(model, one_source(all, row), search, {}, 0, &best);
        EXPECT_EQ(found[static_cast<std::size_t>(row)], best.tokens) << system << penalty << row;
      }
    }
  }
}

TEST(BeamSearch, OfOneTakesTheLikeliestTokenEachTime) {
  for (const std::string& system : kTranslators) {
    const Model model = some_translator(system);
    const at::NoGradGuard raw;
    const Inputs all = sources(4);
    const std::vector<Translation> found = translations(model, all, {1, 0.5, 9});
    for (std::int64_t row = 0; row < 4; ++row) {
      Translation greedy;
      while (greedy.size() < 8) {
        const auto token = static_cast<std::uint32_t>(
            after(model, one_source(all, row), greedy).argmax().item<std::int64_t>());
        if (token == JointBpe::kEnd) break;
        greedy.push_back(token);
      }
      EXPECT_EQ(found[static_cast<std::size_t>(row)], greedy) << system << row;
    }
  }
}

TEST(BeamSearch, TranslatesEachSentenceAsIfItWereAlone) {
  for (const std::string& system : kTranslators) {
    const Model model = some_translator(system);
    const Inputs all = sources(4);
    const BeamSearch search{3, 0.6, 10};
    const std::vector<Translation> together = translations(model, all, search);
    for (std::int64_t row = 0; row < 4; ++row)
      EXPECT_EQ(translations(model, one_source(all, row), search)[0],
                together[static_cast<std::size_t>(row)])
          << system << row;
  }
}

// Learns four sentences by heart, reports BLEU, and translates when asked to.
TEST(Translation, IsLearntScoredAndAsked) {
  const ScratchFolder scratch;
  std::filesystem::create_directories(scratch.path() / "data" / "own");
  std::vector<NewExample> examples;
  for (const auto& [source, target] : {std::pair{"yes", "ja"},
                                       {"no", "nein"},
                                       {"a house", "ein Haus"},
                                       {"the old house in a wood", "das alte Haus in einem Wald"}})
    examples.push_back({{source, target}, 0, {}});
  for (const Split split : kSplits)
    write_examples(split_file(scratch.path() / "data" / "own", split),
                   {.vocabulary = 256, .sequences = 2}, R"({"name":"translate"})", examples);
  RunConfig config =
      config_of({"task.name=translate", "task.data=own", "task.length=32", "task.merges=60",
                 "model.d=32", "model.layers=1", "model.dropout=0", "model.embedding_dropout=0",
                 "model.system=transformer@positions=none,heads=2", "model.positions=sinusoidal",
                 "optim.batch=4", "optim.steps=120", "optim.lr=0.01", "optim.schedule=constant",
                 "optim.warmup=0", "eval.steps=60", "eval.epochs=0", "run.threads=1"});
  pin_content(config, scratch.path());
  ASSERT_EQ(train(config, scratch.path()), results::RunState::kDone);
  const std::string outcome = outcome_of(scratch.path(), config);
  EXPECT_NE(outcome.find("test.bleu"), std::string::npos);
  EXPECT_NE(outcome.find("valid.sacrebleu"), std::string::npos);
  const std::string id = run_id(config);
  const results::Evaluation greedy =
      evaluate_run(scratch.path(), id, {{"eval.beam=1"}, Split::kTest, "best"});
  EXPECT_EQ(greedy.settings, "eval.beam=1");
  EXPECT_EQ(greedy.metrics.front().first, "test.bleu");
  EXPECT_NE(message_of<std::invalid_argument>([&] {
              evaluate_run(scratch.path(), id, {{"task.merges=3"}, Split::kTest, "best"});
            }).find("are numbered by what it was trained on"),
            std::string::npos);
  ASSERT_TRUE(translates(scratch.path(), id));
  Translator translator(scratch.path(), id, "best");
  EXPECT_EQ(translator.translated("a house"), "ein Haus");
  EXPECT_EQ(translator.translated("the old house in a wood"), "das alte Haus in einem Wald");
  const std::string refusal =
      message_of<std::invalid_argument>([&] { translator.translated(std::string(200, 'x')); });
  EXPECT_NE(refusal.find("at most task.length = 32 tokens"), std::string::npos) << refusal;
}

}  // namespace runner
