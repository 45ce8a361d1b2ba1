// Orders the examples so that those of a batch have about the same length.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace runner {

// Rearranges `order`: sorted by length within stretches of some batches, then whole batches drawn
// in an order that is a function of seed and epoch. A last partial batch stays last. So the
// examples that share a batch are a function of (order, batch, seed, epoch).
std::vector<std::uint32_t> order_by_length(std::vector<std::uint32_t> order,
                                           std::span<const std::uint32_t> lengths,
                                           std::size_t batch, std::uint64_t seed,
                                           std::uint64_t epoch);

}  // namespace runner
