// GPT-2 cuts a text into words before it merges, by this pattern:
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
#pragma once

#include <cstddef>
#include <string_view>

namespace runner {

// Bytes of the word that starts at `at`; the words of a text follow each other without gaps.
std::size_t gpt2_word(std::string_view text, std::size_t at);

}  // namespace runner
