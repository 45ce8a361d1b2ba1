#include "runner/cli/sample_options.h"

#include <gtest/gtest.h>

#include "runner/cli/parse.h"

namespace runner {

// What `lcsm` passes on is what `lcsm-train` reads.
TEST(SampleOptions, AreReadAsTheyWerePassedOn) {
  SampleOptions read;
  Verb program("lcsm-train", "");
  Verb& verb = program.verb("sample", "");
  verb.argument("run", &read.run, "").required();
  declare_sample(verb, &read);
  const SampleOptions given{.run = "3f9c",
                            .prompt = "-- a \"b\"\n",
                            .checkpoint = "last",
                            .workspace = {},
                            .tokens = 7,
                            .top = 40,
                            .seed = 3,
                            .samples = 2,
                            .temperature = 0.1};
  std::vector<std::string> words = {"sample", given.run};
  for (const std::string& word : sample_words(given)) words.push_back(word);
  const Parsed parsed = parse(program, words);
  ASSERT_EQ(parsed.what, Parsed::What::kRun);
  EXPECT_EQ(sample_words(read), sample_words(given));
  EXPECT_EQ(read.prompt, given.prompt);
  EXPECT_EQ(read.temperature, 0.1);
}

}  // namespace runner
