// Reproduces the random splits of PyTorch and scikit-learn, example by example.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace runner {

// torch.randperm(n) of a CPU generator with this seed, for fewer than 2^32 / 20 numbers.
std::vector<std::uint32_t> torch_permutation(std::uint32_t n, std::uint32_t seed);

// The examples that random_split(examples, [n - v - t, v, t]) assigns to each split; v and t are
// these shares of n, rounded down.
std::array<std::vector<std::uint32_t>, 3> torch_split(std::uint32_t n, double valid, double test,
                                                      std::uint32_t seed);

// train_test_split(range(n), train_size=first, random_state=seed, stratify=labels) of scikit-learn:
// each label has about its share of both parts. The labels 0, 1, ... all occur, at least twice.
std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> stratified_split(
    const std::vector<std::uint32_t>& labels, double first, std::uint32_t seed);

}  // namespace runner
