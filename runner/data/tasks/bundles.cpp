#include "runner/data/tasks/bundles.h"

#include <tuple>

#include "runner/data/tasks/example_order.h"

namespace runner {

std::vector<Bundle> bundles_of(std::span<const PairLengths> lengths, std::uint64_t tokens,
                               std::uint64_t seed) {
  std::vector<std::uint32_t> order =
      example_order(true, static_cast<std::uint32_t>(lengths.size()), seed, 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(lengths[a].target, lengths[a].source) <
           std::tie(lengths[b].target, lengths[b].source);
  });
  std::vector<Bundle> bundles;
  std::uint64_t longest = 0;
  for (const std::uint32_t sentence : order) {
    const std::uint64_t length = lengths[sentence].longer(), all = std::max(longest, length);
    const bool fits = !bundles.empty() && (bundles.back().size() + 1) * all <= tokens;
    if (!fits) bundles.emplace_back();
    longest = fits ? all : length;
    bundles.back().push_back(sentence);
  }
  return bundles;
}

}  // namespace runner
