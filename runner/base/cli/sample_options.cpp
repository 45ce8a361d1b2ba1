#include "runner/base/cli/sample_options.h"

#include <fmt/format.h>

namespace runner {

void declare_sample(Verb& verb, SampleOptions* options) {
  constexpr int kMost = 1000000;
  verb.option("--prompt", &options->prompt, "Start of the text").type("TEXT");
  verb.option("--tokens", &options->tokens, "Tokens to generate")
      .type("N")
      .range(1, kMost)
      .default_shown();
  verb.option("--temperature", &options->temperature,
              "Sampling temperature; 0: always the likeliest token")
      .range(0., 100.)
      .default_shown();
  verb.option("--top", &options->top, "Sample from the N likeliest tokens; 0: from all")
      .type("N")
      .range(0, kMost)
      .default_shown();
  verb.option("--seed", &options->seed, "Random seed").type("N").range(0, kMost).default_shown();
  verb.option("--samples", &options->samples, "Number of texts; each uses the next seed")
      .type("N")
      .range(1, 1000)
      .default_shown();
  verb.option("--checkpoint", &options->checkpoint, "best, last or a step")
      .type("STEP")
      .default_shown();
}

std::vector<std::string> sample_words(const SampleOptions& options) {
  std::vector<std::string> words = {fmt::format("--tokens={}", options.tokens),
                                    fmt::format("--temperature={}", options.temperature),
                                    fmt::format("--top={}", options.top),
                                    fmt::format("--seed={}", options.seed),
                                    fmt::format("--samples={}", options.samples),
                                    "--checkpoint=" + options.checkpoint};
  // After "--prompt=" the parser would take the next word.
  if (!options.prompt.empty()) words.push_back("--prompt=" + options.prompt);
  return words;
}

}  // namespace runner
