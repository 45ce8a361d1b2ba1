// Translates with a trained model by beam search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runner/data/sentences/sentence_set.h"
#include "runner/models/skeletons/encoder_decoder.h"
#include "runner/train/loss/score.h"

namespace runner {

struct BeamSearch {
  std::int64_t beam = 5;        // 1: always the likeliest token
  double length_penalty = 0.5;  // p of log-probability / length^p; the length counts </s>
  std::int64_t longest = 256;   // tokens with </s>, which is then the last
};
BeamSearch beam_search_of(const RunConfig& config);

using Translation = std::vector<std::uint32_t>;  // tokens without </s>

// The best hypothesis per sentence of inputs.source, by log-probability / length^p. Each step
// extends the kept hypotheses by every token and takes the likeliest 2 beam: among the first
// `beam`, those with </s> are finished; the first `beam` others are kept. A sentence is done once
// `beam` hypotheses are finished, as in fairseq. Every step decodes whole hypotheses again.
std::vector<Translation> translations(const Model& model, const Inputs& inputs,
                                      const BeamSearch& search);

// BLEU's counts of a batch's translations. `sentences`: their numbers in the split.
Score translation_score(const Model& model, const Inputs& inputs, const SentenceSet& set,
                        Split split, std::span<const std::uint32_t> sentences);

}  // namespace runner
