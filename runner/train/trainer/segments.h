// Cuts the examples of a step into segments that are trained each by itself: task.segments.
#pragma once

#include <cstdint>
#include <vector>

#include "runner/data/batches/batch.h"

namespace runner {

// The lengths of the segments of T steps, longest first: each is drawn from `lengths` with equal
// chances, and the last is what is left. A function of the seed and the step.
std::vector<std::int64_t> drawn_segments(const std::vector<std::int64_t>& lengths, std::int64_t T,
                                         std::uint64_t seed, std::int64_t step);

// A batch of whole examples without padding as one for each segment, one after the other.
std::vector<Batch> cut(const Batch& batch, const std::vector<std::int64_t>& segments);

}  // namespace runner
