#include "runner/data/tasks/example_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "runner/base/random/random.h"

namespace runner {
namespace {

// Batches that are sorted together: with 32, about 3 of 100 places of ListOps are padding.
constexpr std::size_t kSortedTogether = 32;

}  // namespace

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

std::vector<std::uint32_t> consecutive_order(std::uint32_t count, std::uint32_t batch) {
  const std::uint32_t whole = count / batch, longer = count % batch;
  std::vector<std::uint32_t> order(count);
  for (std::uint32_t b = 0, example = 0; b < batch; ++b)
    for (std::uint32_t n = 0; n < whole + (b < longer ? 1 : 0); ++n)
      order[static_cast<std::size_t>(n) * batch + b] = example++;
  return order;
}

std::vector<std::uint32_t> spread_over(std::vector<std::uint32_t> examples, std::uint64_t most) {
  const std::uint64_t count = examples.size();
  if (most == 0 || most >= count) return examples;
  for (std::uint64_t i = 0; i < most; ++i) examples[i] = examples[i * count / most];
  examples.resize(most);
  return examples;
}

std::vector<std::uint32_t> order_by_length(std::vector<std::uint32_t> order,
                                           std::span<const std::uint32_t> lengths,
                                           std::size_t batch, std::uint64_t seed,
                                           std::uint64_t epoch) {
  const std::size_t stretch = batch * kSortedTogether, whole = order.size() / batch;
  const auto at = [&order](std::size_t i) {
    return order.begin() + static_cast<std::ptrdiff_t>(i);
  };
  for (std::size_t first = 0; first < order.size(); first += stretch)
    std::stable_sort(at(first), at(std::min(order.size(), first + stretch)),
                     [&](std::uint32_t a, std::uint32_t b) { return lengths[a] < lengths[b]; });
  std::vector<std::uint32_t> mixed;
  mixed.reserve(order.size());
  for (const std::uint32_t each :
       example_order(true, static_cast<std::uint32_t>(whole), seed, epoch))
    mixed.insert(mixed.end(), at(each * batch), at((each + 1) * batch));
  mixed.insert(mixed.end(), at(whole * batch), order.end());
  return mixed;
}

}  // namespace runner
