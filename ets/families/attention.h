// Shared by families with one-head attention within chunks: options, and the tensors of the bias
// that the distance of two steps adds to their score.
#pragma once

#include "lcsm/block/block_tensors.h"

namespace ets {

inline constexpr lcsm::OptionRow kCausal =
    lcsm::flag("causal", true, "attend to no later step; the filter has its own option");
inline constexpr lcsm::OptionRow kBias = lcsm::word(
    "bias", "simple rotary none", "simple",
    "what the distance adds to scores: a number per distance, or a product of rotated vectors");
inline constexpr lcsm::OptionRow kPositions = lcsm::integer(
    "positions", "1024", 1, "the longest sequence with bias=simple and without chunks");
inline constexpr lcsm::OptionRow kChunk =
    lcsm::integer("chunk", "0", 0, "attention within chunks of this many steps; 0: over all steps");

// distance [2 P - 1], P the chunk or the positions; or rotary_query and rotary_key [z].
void put_bias(const lcsm::Block& variant, std::int64_t z, lcsm::BlockTensors* tensors);

// Throws std::invalid_argument for an odd width with turned vectors; `option` is its name.
void check_turned(const lcsm::Block& variant, std::string_view option, std::int64_t z);

}  // namespace ets
