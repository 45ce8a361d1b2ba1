// Tasks that read texts: cached tokens, and the blocks that a model trains on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runner/base/random/random.h"
#include "runner/config/run/run_config.h"
#include "runner/data/tasks/data_search.h"
#include "runner/data/tasks/task.h"
#include "runner/data/tokens/token_file.h"

namespace runner {

// Functions for the rows of tasks/task.cpp.
TaskCount text_vocabulary(const RunConfig& config);
TaskCount text_examples(const RunConfig& config, Split split);
std::int64_t text_scored(const RunConfig& config);
std::vector<FilePart> text_files(const RunConfig& config, const std::filesystem::path& workspace);
void require_text(const RunConfig& config, const std::filesystem::path& workspace);

struct TextTokens {
  TokenFile train, valid, test;
};

// Finds the texts (data_search.h), encodes the ones that are not in the workspace's cache, and maps
// all.
TextTokens text_tokens(const RunConfig& config, const std::filesystem::path& workspace);

// The tokenizer of the run's tokens.
std::unique_ptr<Tokenizer> text_tokenizer(const RunConfig& config,
                                          const std::filesystem::path& workspace);

// The mask token (task.masked): GPT-2's <mask>; the byte 255, which UTF-8 never has; for words, a
// number after the vocabulary.
std::int64_t mask_token(const RunConfig& config, std::int64_t vocabulary);

// Hides tokens of a block, [T], for a model to predict: a share of the positions, drawn without
// repetition; 80 % become the mask, 10 % any token, 10 % stay (Devlin et al. 2019).
struct Masking {
  double share = 0;
  std::int64_t mask = 0, vocabulary = 0;

  // The number of tokens that are hidden in a block: at least one.
  std::int64_t count(std::int64_t length) const;
  // Returns the positions, sorted. The tokens there are the targets.
  std::vector<std::int64_t> hide(std::span<std::int32_t> tokens, RandomStream random) const;
};

// A text cut into consecutive blocks of T tokens. Every token is predicted once, from all tokens
// before it in its block. A block's first token is predicted from the last token of the previous
// block, the text's first token from the boundary token.
class TextBlocks {
 public:
  TextBlocks(const TokenFile& tokens, std::int64_t length);

  std::uint64_t whole() const;  // blocks of exactly T tokens
  std::uint64_t count() const;  // including a shorter last one

  // Writes the tokens from `from` on to `targets`, up to its size or the end of the text, and each
  // one's predecessor to `inputs`. Returns their number; the rest is unchanged.
  std::int64_t copy(std::uint64_t from, std::span<std::int32_t> inputs,
                    std::span<std::int32_t> targets) const;

 private:
  const TokenFile& tokens_;
  std::uint64_t length_;
};

}  // namespace runner
