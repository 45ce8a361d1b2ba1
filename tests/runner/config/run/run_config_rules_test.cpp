// Rules between keys, and notes about keys and options without effect.
#include "runner/config/run/run_config_rules.h"

#include <gtest/gtest.h>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

// A task of 60 tokens an example.
RunConfig rules_config_of(const std::string& task, const std::vector<std::string>& more) {
  std::vector<std::string> settings = {"task.name=" + task, "model.code=ssm", "task.length=60"};
  settings.insert(settings.end(), more.begin(), more.end());
  return parse_config("", "", settings, [](const std::string&) {});
}

std::string mistakes_of(const std::string& task, const std::vector<std::string>& more) {
  try {
    rules_config_of(task, more);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(RunConfigRules, OnlyTextsAreConsecutive) {
  EXPECT_TRUE(has(mistakes_of("mqar", {"task.order=consecutive"}),
                  "task.order: consecutive needs a text, got task.name = mqar"));
  EXPECT_EQ(mistakes_of("enwik8", {"task.order=consecutive"}), "");
}

TEST(RunConfigRules, TheBestStepHasAMetricOfTheTask) {
  EXPECT_EQ(mistakes_of("mqar", {"eval.best=accuracy"}), "");
  EXPECT_TRUE(has(mistakes_of("enwik8", {"eval.best=accuracy"}),
                  "eval.best: expected a metric that enwik8 reports, got accuracy"));
}

TEST(RunConfigRules, AttentionSeesNoTokensThatItPredicts) {
  const std::vector<std::string> both = {"model.family=attention", "model.attention=both"};
  EXPECT_TRUE(has(mistakes_of("enwik8", both), "use causal, or task.masked above 0"));
  EXPECT_EQ(mistakes_of("enwik8", {both[0], both[1], "task.masked=0.15"}), "");
}

TEST(RunConfigRules, SegmentsAreARangeThatDividesTheLength) {
  EXPECT_EQ(mistakes_of("enwik8", {"task.segments=2-6"}), "");
  EXPECT_TRUE(has(mistakes_of("enwik8", {"task.segments='6'"}),
                  "task.segments: expected a range of chunks such as 2-6, got '6'"));
  EXPECT_TRUE(has(mistakes_of("enwik8", {"task.segments=2-7"}),
                  "task.length: expected a multiple of the 7 chunks of task.segments, got 60"));
  EXPECT_TRUE(has(mistakes_of("enwik8", {"task.segments=2-6", "task.order=consecutive"}),
                  "task.order: consecutive needs examples of one length"));
  EXPECT_TRUE(has(mistakes_of("enwik8", {"task.segments=2-6", "optim.tokens=1000"}),
                  "optim.tokens: the tokens of a step vary with task.segments"));
  EXPECT_TRUE(has(mistakes_of("enwik8", {"task.segments=2-6", "task.masked=0.15"}),
                  "task.masked: expected blocks of task.length tokens, got task.segments = 2-6"));
}

TEST(RunConfigRules, TheLongestExampleFitsIntoTheLength) {
  EXPECT_TRUE(has(mistakes_of("lra-listops", {}),
                  "task.length: expected at least 1999, the steps of the longest example of "
                  "lra-listops, got 60: raise it, or name a data set of shorter examples with "
                  "task.data"));
  EXPECT_EQ(mistakes_of("lra-listops", {"task.length=1999"}), "");
  EXPECT_EQ(mistakes_of("lra-listops", {"task.data=listops-short"}), "");
  EXPECT_TRUE(has(mistakes_of("lra-image", {"task.patch=4"}), "task.length: expected at least 64"));
  EXPECT_EQ(mistakes_of("lra-image", {"task.patch=8"}), "");
  EXPECT_EQ(mistakes_of("lra-text", {}), "") << "longer texts are cut";
}

TEST(RunConfigRules, Enwik8IsReadByBytes) {
  EXPECT_TRUE(has(mistakes_of("enwik8", {"task.tokens=words"}),
                  "task.tokens: expected one of bytes with task.name = enwik8"));
}

TEST(RunConfigRules, ASystemWithoutItsMemoryIsANote) {
  const auto notes = [](const std::string& order) {
    return rules_config_of("enwik8", {"model.code=transformer-xl", "task.order=" + order}).notes();
  };
  ASSERT_EQ(notes("shuffled").size(), 1u);
  EXPECT_TRUE(has(notes("shuffled")[0], "task.order = consecutive"));
  EXPECT_TRUE(notes("consecutive").empty());
}

TEST(RunConfigRules, HiddenTokensHaveNoMemory) {
  const auto mistakes = [](const std::string& order) {
    return mistakes_of("enwik8",
                       {"model.code=transformer-xl", "task.masked=0.2", "task.order=" + order});
  };
  EXPECT_TRUE(has(mistakes("consecutive"), "expected task.masked = 0, or another order"));
  EXPECT_EQ(mistakes("shuffled"), "");
}

TEST(RunConfigRules, TranslationsHaveAnEncoderAndADecoder) {
  EXPECT_EQ(mistakes_of("phrases", {"model.code=transformer@heads=4"}), "");
  EXPECT_EQ(mistakes_of("phrases", {"model.code=mega-chunk"}), "");
  EXPECT_TRUE(has(mistakes_of("phrases", {"model.code=mega", "model.skeleton=source"}),
                  "model.skeleton: expected encoder-decoder with task.name = phrases, got source"));
  EXPECT_TRUE(has(mistakes_of("mqar", {"model.code=mega", "model.skeleton=encoder-decoder"}),
                  "model.skeleton: expected another than encoder-decoder with task.name = mqar"));
  EXPECT_TRUE(has(mistakes_of("phrases", {}),
                  "model.skeleton: encoder-decoder expected a named system, such as transformer"));
  EXPECT_TRUE(has(mistakes_of("phrases", {"model.code=s4"}),
                  "model.system: an encoder-decoder expected transformer, mega or mega-chunk"));
  EXPECT_TRUE(
      has(mistakes_of("phrases", {"model.code=mamba"}),
          "model.system: an encoder expected a system that may see later steps, got mamba"));
  EXPECT_TRUE(has(mistakes_of("phrases", {"model.code=mega@bidirectional=true,causal=false"}),
                  "sees later steps, which task.name = phrases asks to predict"));
}

TEST(RunConfigRules, BundlesHaveNoFixedNumberOfTokens) {
  EXPECT_TRUE(
      has(mistakes_of("phrases", {"model.code=mega", "task.bundle=100", "optim.tokens=1000"}),
          "optim.tokens: the tokens of a step vary with task.bundle"));
}

TEST(RunConfigRules, SinusoidsNeedAnEvenWidth) {
  EXPECT_EQ(mistakes_of("enwik8", {"model.positions=sinusoidal"}), "");
  EXPECT_TRUE(has(mistakes_of("enwik8", {"model.positions=sinusoidal", "model.d=33"}),
                  "model.positions: sinusoidal needs an even model.d, got 33"));
}

TEST(RunConfigRules, TokensOfShorterExamplesAreANote) {
  const auto notes = [](const std::string& task) {
    return rules_config_of(task, {"task.length=2000", "optim.steps=0", "optim.epochs=0",
                                  "optim.schedule=constant", "optim.tokens=1000000"})
        .notes();
  };
  EXPECT_EQ(notes("lra-listops"),
            std::vector<std::string>{"optim.tokens counts task.length = 2000 tokens for each "
                                     "example, also for shorter ones"});
  EXPECT_TRUE(notes("enwik8").empty());
  EXPECT_TRUE(notes("mqar").empty());
}

TEST(RunConfigRules, AnOptionThatAnotherMakesIdleIsNoted) {
  const auto notes = [](const std::string& system, const std::string& recipe = "") {
    return rules_config_of("lra-image",
                           {"model.code=" + system, "recipe=" + recipe, "task.length=1024"})
        .notes();
  };
  using Notes = std::vector<std::string>;
  EXPECT_EQ(notes("etsmlp@form=real,r_min=0.5"),
            Notes{"model.system: option 'r_min' has no effect with form=real"});
  EXPECT_EQ(notes("mega@chunk=64,positions=2048"),
            Notes{"model.system: option 'positions' has no effect with chunk=64"});
  EXPECT_EQ(notes("mega@bias=rotary,positions=2048"),
            Notes{"model.system: option 'positions' has no effect with bias=rotary"});
  EXPECT_EQ(notes("mega@positions=2048"), Notes{});
  EXPECT_EQ(notes("etsmlp@form=real", "etsmlp"), Notes{}) << "options of a recipe";
}

TEST(RunConfigRules, ARateOfGatesThatAModelLacksIsNoted) {
  const auto notes = [](const std::string& model) {
    return rules_config_of("mqar", {model, "optim.gate_lr=1e-4"}).notes();
  };
  using Notes = std::vector<std::string>;
  EXPECT_EQ(notes("model.code=1-10-1-2"),
            Notes{"optim.gate_lr has no effect with model.code = 1-10-1-2, which learns no gate"});
  EXPECT_EQ(notes("model.code=transformer"), Notes{"optim.gate_lr has no effect with model.system "
                                                   "= transformer, which learns no gate"});
  EXPECT_EQ(notes("model.family=attention").back(),
            "optim.gate_lr has no effect with model.family = attention, which learns no gate");
  EXPECT_EQ(notes("model.code=1-3-1-2@gate=frozen").size(), 1u);
  for (const char* model : {"model.code=1-3-1-2", "model.code=s4", "model.code=mamba"})
    EXPECT_EQ(notes(model), Notes{}) << model;
}

TEST(RunConfigRules, AKeyThatAnotherMakesIdleIsNoted) {
  const auto notes = [](const std::vector<std::string>& more) {
    return rules_config_of("mqar", more).notes();
  };
  using Notes = std::vector<std::string>;
  EXPECT_EQ(notes({"optim.warmup=0", "optim.lr_first=1e-5"}),
            Notes{"optim.lr_first has no effect with optim.warmup = 0"});
  EXPECT_EQ(notes({"optim.schedule=constant", "optim.lr_last=1e-5"}),
            Notes{"optim.lr_last has no effect with optim.schedule = constant"});
  EXPECT_EQ(notes({"optim.decay=0", "optim.decay_on=matrices"}),
            Notes{"optim.decay_on has no effect with optim.decay = 0.0"});
  EXPECT_EQ(notes({"model.layers=1", "model.depth_dropout=0.1"}),
            Notes{"model.depth_dropout has no effect with model.layers = 1"});
  EXPECT_EQ(rules_config_of("imdb", {"model.head_width=8"}).notes(),
            Notes{"model.head_width has no effect with model.head = linear"});
  EXPECT_EQ(
      rules_config_of("classify", {"task.split=part", "task.valid_share=0.2", "task.rarest=2"})
          .notes(),
      (Notes{"task.rarest has no effect with task.tokens = bytes",
             "task.valid_share has no effect with task.split = part"}));
  EXPECT_EQ(notes({"optim.warmup=0", "optim.decay=0", "model.layers=1", "optim.lr_last=0"}),
            Notes{});
  EXPECT_EQ(notes({"optim.schedule=linear", "optim.lr_last=1e-5", "optim.decay_on=matrices"}),
            Notes{});
}

TEST(RunConfigRules, APatternOfCodesBelongsInAList) {
  EXPECT_TRUE(has(mistakes_of("mqar", {"model.code=1-{1,3}-1-0"}),
                  "model.code: expected one code, got a pattern: write it in a list of a sweep, "
                  "[\"1-{1,3}-1-0\"]"));
}

}  // namespace runner
