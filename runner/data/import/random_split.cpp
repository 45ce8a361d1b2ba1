#include "runner/data/import/random_split.h"

#include <numeric>
#include <random>
#include <utility>

namespace runner {

std::vector<std::uint32_t> torch_permutation(std::uint32_t n, std::uint32_t seed) {
  std::vector<std::uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0u);
  std::mt19937 random(seed);
  for (std::uint32_t i = 0; i + 1 < n; ++i)
    std::swap(numbers[i], numbers[i + static_cast<std::uint32_t>(random() % (n - i))]);
  return numbers;
}

std::array<std::vector<std::uint32_t>, 3> torch_split(std::uint32_t n, double valid, double test,
                                                      std::uint32_t seed) {
  const std::vector<std::uint32_t> order = torch_permutation(n, seed);
  const auto v = static_cast<std::ptrdiff_t>(valid * n), t = static_cast<std::ptrdiff_t>(test * n);
  const auto first = order.end() - v - t, second = order.end() - t;
  return {{{order.begin(), first}, {first, second}, {second, order.end()}}};
}

}  // namespace runner
