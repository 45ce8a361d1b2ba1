#include "runner/tasks/example_order.h"

#include <numeric>
#include <utility>

#include "runner/tasks/random.h"

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

}  // namespace runner
