// Rules between the keys of a text: its order, its segments, a memory.
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

}  // namespace runner
