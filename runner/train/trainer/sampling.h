// Samples text from a trained language model, or translates.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lcsm/base/random.h"
#include "runner/data/tokens/tokenizer.h"
#include "runner/train/trainer/trained_model.h"

namespace runner {

struct SampleRequest {
  std::string prompt;
  std::int64_t tokens = 200;
  double temperature = 1;  // 0: always the likeliest token
  std::int64_t top = 0;    // samples among this many of the likeliest tokens; 0: among all
  std::uint64_t seed = 1;
};

class Sampler {
 public:
  // Throws as TrainedModel does; std::invalid_argument for a run that was not trained on text.
  Sampler(const std::filesystem::path& workspace, const std::string& id,
          const std::string& checkpoint);

  // Calls `take` with the text of each token. The model sees the last task.length tokens, as in
  // training. Within that length a new token costs one step if all layers carry a state, otherwise
  // a pass over the whole text.
  void sample(const SampleRequest& request,
              const std::function<void(const std::string&)>& take) const;

 private:
  TrainedModel trained_;
  std::unique_ptr<Tokenizer> tokenizer_;
};

// True if the run translates, which needs a Translator instead of a Sampler.
bool translates(const std::filesystem::path& workspace, const std::string& id);

class Translator {
 public:
  // Throws as TrainedModel does.
  Translator(const std::filesystem::path& workspace, const std::string& id,
             const std::string& checkpoint);

  // Translates a sentence in the format of the training sentences, by the run's beam search.
  std::string translated(const std::string& sentence);

 private:
  TrainedModel trained_;
};

// The tokens before a continuation: the boundary, then the prompt, without a final newline that the
// prompt does not have.
std::vector<std::uint32_t> prompt_tokens(Tokenizer& tokenizer, const std::string& prompt);

// Draws a token from softmax(logits / temperature) over the `top` likeliest.
std::uint32_t pick(std::span<const float> logits, double temperature, std::int64_t top,
                   lcsm::Random& random);

}  // namespace runner
