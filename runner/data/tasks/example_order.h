// The order in which the examples of an epoch are used.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace runner {

// "fixed": 0, 1, 2 ... in every epoch (zoology's). "shuffled": a permutation that is a function of
// seed and epoch, so that a run resumes in the middle of an epoch by its position.
std::vector<std::uint32_t> example_order(bool shuffled, std::uint32_t count, std::uint64_t seed,
                                         std::uint64_t epoch);

// Consecutive examples in parallel streams of a text: row b of a batch continues row b of the batch
// before. If `batch` does not divide `count`, the first streams have one example more, in a last,
// smaller batch.
std::vector<std::uint32_t> consecutive_order(std::uint32_t count, std::uint32_t batch);

// Picks at most `most` of the examples, evenly spread; 0: all.
std::vector<std::uint32_t> spread_over(std::vector<std::uint32_t> examples, std::uint64_t most);

// Rearranges `order` so that the examples of a batch have about equal lengths: sorts by length
// within stretches of some batches, then shuffles whole batches by seed and epoch. A last partial
// batch stays last. The examples that share a batch are a function of (order, batch, seed, epoch).
std::vector<std::uint32_t> order_by_length(std::vector<std::uint32_t> order,
                                           std::span<const std::uint32_t> lengths,
                                           std::size_t batch, std::uint64_t seed,
                                           std::uint64_t epoch);

}  // namespace runner
