// FAVOR+ (Choromanski et al., "Rethinking Attention with Performers", 2021).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace runner {

// [count, width], float64: blocks of `width` orthogonal rows. Each row has the length of a normal
// vector; `draw` selects the random numbers.
at::Tensor orthogonal_normals(std::int64_t count, std::int64_t width, std::uint64_t draw);

}  // namespace runner
