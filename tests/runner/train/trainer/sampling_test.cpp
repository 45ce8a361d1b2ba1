#include "runner/train/trainer/sampling.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "results/events/run_folder.h"
#include "runner/config/run/run_id.h"
#include "runner/data/tasks/task.h"
#include "runner/data/tasks/text_task.h"
#include "runner/train/trainer/stored_config.h"
#include "runner/train/trainer/trained_model.h"
#include "tests/message_of.h"
#include "tests/runner/run_program.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

using Tokens = std::vector<std::uint32_t>;

// Trained on lines of "abcd" until it has learned the order.
class Sampling : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch = std::make_unique<ScratchFolder>();
    const std::string text = (scratch->path() / "text").string();
    for (int i = 0; i < 200; ++i) std::ofstream(text, std::ios::app) << "abcdabcdabcdabc\n";
    id = trained_on(text, {});
    sampler = std::make_unique<Sampler>(scratch->path(), id, "best");
  }
  // The id of a run that was trained.
  static std::string trained_on(const std::string& text, const std::vector<std::string>& more) {
    RunConfig config =
        config_of({"task.name=text", "task.path=" + text, "task.length=16", "model.code=1-3-1-2",
                   "model.d=16", "model.k=4", "model.layers=1", "optim.batch=16", "optim.lr=0.03",
                   "optim.steps=60", "optim.schedule=constant", "optim.warmup=0", "optim.epochs=0",
                   "run.threads=1"},
                  more);
    pin_content(config, scratch->path());
    EXPECT_EQ(train(config, scratch->path()), results::RunState::kDone);
    return run_id(config);
  }
  static void TearDownTestSuite() {
    sampler.reset();
    scratch.reset();
  }
  static std::string sample(const SampleRequest& request) {
    std::string text;
    sampler->sample(request, [&](const std::string& more) { text += more; });
    return text;
  }

  static inline std::unique_ptr<ScratchFolder> scratch;
  static inline std::unique_ptr<Sampler> sampler;
  static inline std::string id;
};

}  // namespace

TEST_F(Sampling, ContinuesAsTheTextDoes) {
  EXPECT_EQ(sample({.prompt = "ab", .tokens = 3, .temperature = 0}), "cda");
  EXPECT_EQ(sample({.prompt = "", .tokens = 3, .temperature = 0}), "abc") << "after an end of line";
  EXPECT_EQ(sample({.prompt = "abcdabcdabcdabcda", .tokens = 30, .temperature = 0}).substr(0, 2),
            "bc")
      << "longer than task.length";
}

TEST_F(Sampling, ContinuesByTheWordsOfAnAdaptiveSoftmax) {
  const std::string text = (scratch->path() / "words").string();
  for (int i = 0; i < 200; ++i) std::ofstream(text, std::ios::app) << "one two three four\n";
  const Sampler words(
      scratch->path(),
      trained_on(text, {"task.tokens=ranked-words", "model.softmax=adaptive", "model.cutoffs=2,4"}),
      "best");
  std::string found;
  words.sample({.prompt = "one two", .tokens = 3, .temperature = 0},
               [&](const std::string& more) { found += more; });
  EXPECT_EQ(found, " three four\n");
}

TEST_F(Sampling, IsAFunctionOfTheSeed) {
  const auto with_seed = [](std::uint64_t seed) {
    return sample({.prompt = "a", .tokens = 60, .temperature = 3, .seed = seed});
  };
  EXPECT_EQ(with_seed(1), with_seed(1));
  EXPECT_NE(with_seed(1), with_seed(2));
  EXPECT_EQ(sample({.prompt = "a", .tokens = 60, .temperature = 3, .top = 1}),
            sample({.prompt = "a", .tokens = 60, .temperature = 0}));
}

// With and without a state, up to task.length tokens and beyond; the definition reads a window for
// each token.
TEST_F(Sampling, ReadsStepByStepWhatIsInTheWindow) {
  const std::string text = (scratch->path() / "text").string();
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"model.code=1-9-1-0", "model.layers=2"},
        std::vector<std::string>{"model.code=1-3-1-0", "model.positions=learned"},
        std::vector<std::string>{"model.family=attention", "model.heads=2"}}) {
    std::vector<std::string> settings = {"optim.steps=3"};
    settings.insert(settings.end(), more.begin(), more.end());
    const std::string run = trained_on(text, settings);
    std::string found;
    Sampler(scratch->path(), run, "last")
        .sample({.prompt = "abc", .tokens = 24, .temperature = 2, .seed = 5},
                [&](const std::string& each) { found += each; });

    const std::filesystem::path folder = results::run_folder(scratch->path(), run);
    const TrainedModel trained(folder, stored_config(folder, [](const std::string&) {}),
                               scratch->path(), "last", [](const std::string&) {});
    const auto tokenizer = text_tokenizer(trained.config(), scratch->path());
    std::vector<std::uint32_t> tokens = prompt_tokens(*tokenizer, "abc");
    lcsm::Random random(5);
    std::string expected;
    const at::NoGradGuard raw;
    for (int n = 0; n < 24; ++n) {
      const std::ptrdiff_t seen = std::min<std::ptrdiff_t>(std::ssize(tokens), 16);
      const std::vector<std::int64_t> window(tokens.end() - seen, tokens.end());
      Dropout none;
      const at::Tensor h = trained.model().hidden({at::tensor(window).unsqueeze(0)}, none),
                       logits = trained.model().logits(h.select(1, -1)).flatten().contiguous();
      tokens.push_back(
          pick({logits.const_data_ptr<float>(), static_cast<std::size_t>(logits.numel())}, 2, 0,
               random));
      expected += tokenizer->text(tokens.back());
    }
    EXPECT_EQ(found, expected) << more[0];
  }
}

TEST_F(Sampling, NeedsATextAndACheckpoint) {
  sampler.reset();  // which holds the run's lock
  EXPECT_THROW(Sampler(scratch->path(), id, "7"), std::invalid_argument);
  sampler = std::make_unique<Sampler>(scratch->path(), id, "best");
  const RunConfig recall = config_of(small_run());
  ASSERT_EQ(train(recall, scratch->path()), results::RunState::kDone);
  EXPECT_THROW(Sampler(scratch->path(), run_id(recall), "best"), std::invalid_argument);
  const std::string hidden =
      trained_on((scratch->path() / "text").string(), {"task.masked=0.2", "optim.steps=1"});
  EXPECT_EQ(message_of([&] { Sampler(scratch->path(), hidden, "best"); }),
            "expected a run that predicts the next token of a text, got one that predicts hidden "
            "tokens");
}

TEST(Pick, FollowsTheProbabilities) {
  const std::vector<float> logits = {0, std::log(3.f), -100, std::log(6.f)};
  lcsm::Random random(1);
  std::vector<int> counts(4);
  constexpr int kDraws = 10000;
  for (int i = 0; i < kDraws; ++i) ++counts[pick(logits, 1, 0, random)];
  EXPECT_NEAR(counts[0], kDraws * 0.1, 150);  // five standard deviations
  EXPECT_NEAR(counts[1], kDraws * 0.3, 230);
  EXPECT_EQ(counts[2], 0);
  std::vector<int> cold(4);
  for (int i = 0; i < kDraws; ++i) ++cold[pick(logits, 0.5, 2, random)];  // 9 : 36
  EXPECT_EQ(cold[0], 0);
  EXPECT_NEAR(cold[1], kDraws * 0.2, 200);
}

TEST(Pick, TheLikeliestIsTheFirstOfEquals) {
  lcsm::Random random(1);
  EXPECT_EQ(pick(std::vector<float>{1, 2, 2}, 0, 0, random), 1u);
  EXPECT_EQ(pick(std::vector<float>{1, 2, 2}, 5, 1, random), 1u);
  EXPECT_LT(pick(std::vector<float>{1, 2, 2}, 5, 9, random), 3u);
}

TEST(PromptTokens, FollowTheBoundaryWithoutAnEndOfTheirOwn) {
  const auto words = word_tokenizer("a b\n"), bytes = byte_tokenizer();  // a 0, b 1, <eos> 2
  EXPECT_EQ(prompt_tokens(*words, "a b"), (Tokens{2, 0, 1}));
  EXPECT_EQ(prompt_tokens(*words, "a b\n"), (Tokens{2, 0, 1, 2}));
  EXPECT_EQ(prompt_tokens(*words, ""), Tokens{2});
  EXPECT_EQ(prompt_tokens(*bytes, "a"), (Tokens{'\n', 'a'}));
  EXPECT_EQ(prompt_tokens(*bytes, "a\n"), (Tokens{'\n', 'a', '\n'}));
}

}  // namespace runner
