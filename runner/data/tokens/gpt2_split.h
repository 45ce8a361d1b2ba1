// GPT-2 splits a text into words by this pattern before it merges bytes:
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
#pragma once

#include <cstddef>
#include <string_view>

namespace runner {

// The size in bytes of the word that starts at `at`. Words cover the text without gaps.
std::size_t gpt2_word(std::string_view text, std::size_t at);

}  // namespace runner
