// The tasks that read texts: their tokens, cached, and the blocks that a model learns from.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "runner/config/run_config.h"
#include "runner/tasks/data_search.h"
#include "runner/tasks/task.h"
#include "runner/tokens/token_file.h"

namespace runner {

// For the rows of tasks/task.cpp.
Count text_vocabulary(const RunConfig& config);
Count text_examples(const RunConfig& config, Split split);
std::int64_t text_scored(const RunConfig& config);
std::vector<FilePart> text_files(const RunConfig& config, const std::filesystem::path& workspace);

struct TextTokens {
  TokenFile train, valid, test;
};

// Finds the texts (data_search.h), encodes what the workspace's cache does not hold, maps the rest.
TextTokens text_tokens(const RunConfig& config, const std::filesystem::path& workspace);

// A text cut into blocks of T tokens that follow each other without overlap. Every token of the
// text is predicted once, from all before it in its block; the first of a block from the last of
// the block before it, the first of all from the boundary token.
class TextBlocks {
 public:
  TextBlocks(const TokenFile& tokens, std::int64_t length);

  std::uint64_t whole() const;  // blocks of exactly T tokens
  std::uint64_t count() const;  // with the shorter one at the end, if there is one

  // Block i into inputs and targets [T] each; returns how many tokens it has, the rest is left.
  std::int64_t copy(std::uint64_t i, std::span<std::int32_t> inputs,
                    std::span<std::int32_t> targets) const;

 private:
  const TokenFile& tokens_;
  std::uint64_t length_;
};

}  // namespace runner
