// Options and tensors shared by attention-like blocks.
#pragma once

#include "lcsm/block/block_tensors.h"

namespace runner {

inline constexpr lcsm::OptionRow kHeads =
    lcsm::integer("heads", "4", 1, "heads of d / heads channels");
inline constexpr lcsm::OptionRow kBidirectional =
    lcsm::flag("bidirectional", false, "every position sees all others, not only earlier ones");
inline constexpr lcsm::OptionRow kDraw =
    lcsm::integer("draw", "0", 0, "seed of the fixed random draws");

// Throws std::invalid_argument unless the heads divide d.
void check_heads(const lcsm::Block& variant);

// Throws std::invalid_argument for more positions than the option `length` has weights for.
void check_length(const lcsm::Block& variant, std::int64_t T);

// Adds "qkv" [3 d, d], whose rows are queries, keys and values, each head by head, and "output" [d,
// d].
void put_qkv(const lcsm::Block& variant, lcsm::BlockTensors* tensors);
void put_output(const lcsm::Block& variant, lcsm::BlockTensors* tensors);

}  // namespace runner
