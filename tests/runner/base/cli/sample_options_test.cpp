#include "runner/base/cli/sample_options.h"

#include <gtest/gtest.h>

#include "runner/base/cli/parse.h"

namespace runner {
namespace {

SampleOptions read_back(const SampleOptions& given) {
  SampleOptions read;
  Verb program("lcsm-train", "");
  Verb& verb = program.verb("sample", "");
  verb.argument("run", &read.run, "").required();
  declare_sample(verb, &read);
  std::vector<std::string> words = {"sample", "3f9c"};
  for (const std::string& word : sample_words(given)) words.push_back(word);
  EXPECT_EQ(parse(program, words).what, Parsed::What::kRun);
  return read;
}

}  // namespace

// `lcsm-train` reads the options as `lcsm` passes them on.
TEST(SampleOptions, AreReadAsTheyWerePassedOn) {
  const SampleOptions given{.run = {},
                            .prompt = {},
                            .checkpoint = "last",
                            .workspace = {},
                            .tokens = 7,
                            .top = 40,
                            .seed = 3,
                            .samples = 2,
                            .temperature = 0.1};
  const SampleOptions read = read_back(given);
  EXPECT_EQ(read.checkpoint, "last");
  EXPECT_EQ(read.tokens, 7);
  EXPECT_EQ(read.top, 40);
  EXPECT_EQ(read.seed, 3);
  EXPECT_EQ(read.samples, 2);
  EXPECT_EQ(read.temperature, 0.1);
}

TEST(SampleOptions, PassAnyPromptOn) {
  for (const char* prompt : {"", "a", "-- a \"b\"\n", "--tokens=3", "="}) {
    SampleOptions given;
    given.prompt = prompt;
    EXPECT_EQ(read_back(given).prompt, prompt);
    EXPECT_EQ(read_back(given).tokens, 200) << prompt;
  }
}

}  // namespace runner
