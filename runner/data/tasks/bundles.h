// Bundles of pairs of sentences, by numbers of tokens (fairseq's max-tokens).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace runner {

// Lengths in tokens, with </s>.
struct PairLengths {
  std::uint32_t source = 0, target = 0;

  std::uint32_t longer() const { return std::max(source, target); }
};

using Bundle = std::vector<std::uint32_t>;  // numbers of sentences

// Bundles all sentences, sorted by target length, then source length, ties in an order that is a
// function of the seed. A bundle has the next sentences, at least one, while their number times the
// longest length is at most `tokens`.
std::vector<Bundle> bundles_of(std::span<const PairLengths> lengths, std::uint64_t tokens,
                               std::uint64_t seed);

}  // namespace runner
