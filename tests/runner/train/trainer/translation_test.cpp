#include "runner/train/trainer/translation.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "results/events/run_folder.h"
#include "runner/config/run/run_id.h"
#include "runner/data/datasets/data_file_writer.h"
#include "runner/data/tasks/task.h"
#include "runner/train/trainer/evaluation.h"
#include "runner/train/trainer/sampling.h"
#include "runner/train/trainer/stored_config.h"
#include "runner/train/trainer/trained_model.h"
#include "tests/message_of.h"
#include "tests/runner/run_program.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

using at::Tensor;

constexpr std::int64_t kTokens = 5;

Model some_translator(const std::string& system, std::uint64_t seed = 11, double scale = 1) {
  const RunConfig config =
      parse_config("", "",
                   {"task.name=phrases", "task.length=16", "model.d=4", "model.layers=1",
                    "model.dropout=0", "model.system=" + system},
                   [](const std::string&) {});
  Model model = make_model(config, kTokens, at::kDouble);
  at::manual_seed(seed);
  const at::NoGradGuard none;
  for (const ModelParameter& p : model.parameters())
    p.tensor.copy_(at::randn_like(p.tensor) * scale);
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

// fairseq's search. A step extends each hypothesis by each token and looks at the best 2 b. Those
// that end are finished if they are among the best b; the best b that do not end go on. The search
// is over when b are finished.
Translation searched(const Model& model, const Inputs& source, const BeamSearch& search) {
  const auto beam = static_cast<std::size_t>(search.beam);
  std::vector<Best> kept = {{{}, 0}};
  Best best;
  std::size_t finished = 0;
  for (std::int64_t length = 1; !kept.empty() && finished < beam; ++length) {
    std::vector<Best> all;
    for (const Best& each : kept) {
      const Tensor next = after(model, source, each.tokens);
      for (std::int64_t token = 0; token < (length == search.longest ? 1 : kTokens); ++token) {
        all.push_back({each.tokens, each.score + next[token].item<double>()});
        all.back().tokens.push_back(static_cast<std::uint32_t>(token));
      }
    }
    std::ranges::stable_sort(all, std::ranges::greater(), &Best::score);
    kept.clear();
    for (std::size_t i = 0; i < std::min(2 * beam, all.size()) && kept.size() < beam; ++i) {
      if (all[i].tokens.back() != JointBpe::kEnd) {
        kept.push_back(all[i]);
        continue;
      }
      if (i >= beam) continue;
      ++finished;
      const double score =
          all[i].score / std::pow(static_cast<double>(length), search.length_penalty);
      if (score > best.score) best = {all[i].tokens, score};
    }
  }
  best.tokens.pop_back();
  return best.tokens;
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

// The weights are small enough that hypotheses are almost equally likely.
TEST(BeamSearch, IsThatOfFairseq) {
  for (const std::uint64_t seed : {2, 3}) {
    const Model model = some_translator(kTranslators[0], seed, 0.4);
    const at::NoGradGuard raw;
    const Inputs all = sources(4);
    for (const BeamSearch& search : {BeamSearch{2, 0, 5}, {2, 3, 5}, {3, 1, 4}, {2, 1, 7}}) {
      const std::vector<Translation> found = translations(model, all, search);
      for (std::int64_t row = 0; row < 4; ++row)
        EXPECT_EQ(found[static_cast<std::size_t>(row)],
                  searched(model, one_source(all, row), search))
            << seed << " " << search.beam << " " << search.length_penalty << " " << row;
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

namespace {

// The scores of the test split, from its sentences one by one. Returns their translations.
std::vector<std::string> expect_bleu_of_each(
    const std::filesystem::path& workspace, const std::string& id,
    const std::vector<std::pair<std::string, std::string>>& sentences) {
  std::vector<std::string> all;
  BleuCounts tokenized, plain;
  {
    TrainedModel trained(results::run_folder(workspace, id),
                         stored_config(results::run_folder(workspace, id), [](const auto&) {}),
                         workspace, "best", [](const auto&) {});
    const SentenceSet& set = *trained.data().sentences();
    const at::NoGradGuard raw;
    for (const auto& [source, target] : sentences) {
      std::vector<std::int64_t> tokens;
      for (const std::uint32_t token : set.encoded(source)) tokens.push_back(token);
      tokens.push_back(JointBpe::kEnd);
      Inputs inputs;
      inputs.source = at::tensor(tokens).unsqueeze(0);
      const std::string found =
          set.text_of(translations(trained.model(), inputs, beam_search_of(trained.config()))[0]);
      tokenized += bleu_counts(words_of_compounds(found), {words_of_compounds(target)});
      all.push_back(set.plain(found));
      plain += bleu_counts(words_13a(all.back()), {words_13a(set.plain(target))});
    }
  }
  const results::Evaluation test = evaluate_run(workspace, id, {});
  EXPECT_EQ(test.metrics[0],
            std::pair(std::string("test.bleu"), bleu(tokenized, Smoothing::kNone)));
  EXPECT_EQ(test.metrics[1], std::pair(std::string("test.sacrebleu"), bleu(plain)));
  EXPECT_GT(bleu(tokenized, Smoothing::kNone), 0);
  EXPECT_NE(test.metrics[0].second, test.metrics[1].second);
  return all;
}

}  // namespace

// Learns four sentences by heart, reports BLEU, and translates when asked to.
TEST(Translation, IsLearntScoredAndAsked) {
  const ScratchFolder scratch;
  std::filesystem::create_directories(scratch.path() / "data" / "own");
  // Tokenized by Moses.
  const std::vector<std::pair<std::string, std::string>>
      learned = {{"yes", "ja"},
                 {"no", "nein"},
                 {"a house", "ein Haus"},
                 {"the old house in a wood",
                  "das alt-neue Haus , halb @-@ hoch , in einem Wald ."}},
      tested = {{"the old house in a wood", "das alt-neue Haus , halb @-@ hoch , im Wald !"},
                {"no", "nein , nein !"},
                {"yes", "ja"},
                {"a house", "ein Haus in einem Wald"},
                {"a wood", "ein Wald"},
                {"house in the", "Haus im"},
                {"an old no", "nein"}};
  for (const Split split : kSplits) {
    std::vector<NewExample> examples;
    for (const auto& [source, target] : split == Split::kTest ? tested : learned)
      examples.push_back({{source, target}, 0, {}});
    write_examples(split_file(scratch.path() / "data" / "own", split),
                   {.vocabulary = 256, .sequences = 2}, R"({"name":"own"})", examples);
  }
  RunConfig config = config_of({"task.name=wmt16-en-de",
                                "task.data=own",
                                "task.length=32",
                                "task.merges=60",
                                "eval.batch=2",
                                "eval.beam=3",
                                "eval.length_penalty=0.7",
                                "model.d=32",
                                "model.layers=1",
                                "model.dropout=0",
                                "model.embedding_dropout=0",
                                "model.system=transformer@positions=none,heads=2",
                                "model.positions=sinusoidal",
                                "optim.batch=4",
                                "optim.steps=120",
                                "optim.lr=0.01",
                                "optim.schedule=constant",
                                "optim.warmup=0",
                                "eval.steps=60",
                                "eval.epochs=0",
                                "run.threads=1"});
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
  const BeamSearch search = beam_search_of(config);
  EXPECT_EQ(search.beam, 3);
  EXPECT_EQ(search.length_penalty, 0.7);
  EXPECT_EQ(search.longest, 32);
  EXPECT_NEAR(evaluate_run(scratch.path(), id, {{}, Split::kValid, "best"}).metrics[0].second, 100,
              1e-9);
  const std::vector<std::string> each = expect_bleu_of_each(scratch.path(), id, tested);
  ASSERT_TRUE(translates(scratch.path(), id));
  Translator translator(scratch.path(), id, "best");
  for (std::size_t i = 0; i < tested.size(); ++i)
    EXPECT_EQ(translator.translated(tested[i].first), each[i]);
  EXPECT_EQ(translator.translated("a house"), "ein Haus");
  EXPECT_EQ(translator.translated("the old house in a wood"),
            "das alt-neue Haus, halb-hoch, in einem Wald.");
  const std::string refusal =
      message_of<std::invalid_argument>([&] { translator.translated(std::string(200, 'x')); });
  EXPECT_NE(refusal.find("at most task.length = 32 tokens"), std::string::npos) << refusal;
}

}  // namespace runner
