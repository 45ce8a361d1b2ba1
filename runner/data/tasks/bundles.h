// Bundles of pairs of sentences, by numbers of tokens (fairseq's max-tokens).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace runner {

// In tokens, with </s>.
struct PairLengths {
  std::uint32_t source = 0, target = 0;

  std::uint32_t longer() const { return std::max(source, target); }
};

using Bundle = std::vector<std::uint32_t>;  // numbers of sentences

// All sentences, sorted by their targets' lengths, then by their sources'; equal ones in an order
// that is a function of the seed. A bundle takes the next ones as long as its sentences times its
// longest one have at most so many tokens; at least one.
std::vector<Bundle> bundles_of(std::span<const PairLengths> lengths, std::uint64_t tokens,
                               std::uint64_t seed);

}  // namespace runner
