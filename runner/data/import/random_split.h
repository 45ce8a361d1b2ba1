// Reproduces PyTorch's random splits, example by example.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace runner {

// torch.randperm(n) of a CPU generator with this seed, for fewer than 2^32 / 20 numbers.
std::vector<std::uint32_t> torch_permutation(std::uint32_t n, std::uint32_t seed);

// The examples that random_split(examples, [n - v - t, v, t]) assigns to each split; v and t are
// these shares of n, rounded down.
std::array<std::vector<std::uint32_t>, 3> torch_split(std::uint32_t n, double valid, double test,
                                                      std::uint32_t seed);

}  // namespace runner
