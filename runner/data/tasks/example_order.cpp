#include "runner/data/tasks/example_order.h"

#include <numeric>
#include <utility>

#include "runner/base/random/random.h"

namespace runner {

std::vector<std::uint32_t> example_order(bool shuffled, std::uint32_t count, std::uint64_t seed,
                                         std::uint64_t epoch) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  if (!shuffled) return order;
  RandomStream random(seed, Draw::kOrder, epoch);
  for (std::uint32_t left = count; left > 1; --left)
    std::swap(order[left - 1], order[random.below(left)]);
  return order;
}

std::vector<std::uint32_t> spread_over(std::vector<std::uint32_t> examples, std::uint64_t most) {
  const std::uint64_t count = examples.size();
  if (most == 0 || most >= count) return examples;
  for (std::uint64_t i = 0; i < most; ++i) examples[i] = examples[i * count / most];
  examples.resize(most);
  return examples;
}

}  // namespace runner
