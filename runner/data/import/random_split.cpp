#include "runner/data/import/random_split.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

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

namespace {

using Numbers = std::vector<std::uint32_t>;

// The permutations of numpy.random.RandomState.
class NumpyRandom {
 public:
  explicit NumpyRandom(std::uint32_t seed) : random_(seed) {}

  Numbers permuted(Numbers numbers) {
    for (std::uint32_t i = static_cast<std::uint32_t>(numbers.size()); i-- > 1;)
      std::swap(numbers[i], numbers[up_to(i)]);
    return numbers;
  }
  Numbers permutation(std::uint32_t n) {
    Numbers numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0u);
    return permuted(std::move(numbers));
  }

 private:
  std::uint32_t up_to(std::uint32_t most) {
    std::uint32_t mask = most;
    for (const int bits : {1, 2, 4, 8, 16}) mask |= mask >> bits;
    for (;;)
      if (const auto number = static_cast<std::uint32_t>(random_()) & mask; number <= most)
        return number;
  }

  std::mt19937 random_;
};

// Draws per label: its share rounded down, plus one for the largest remainders; ties are drawn at
// random.
Numbers shares_of(const Numbers& counts, std::uint32_t draws, NumpyRandom* random) {
  const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  Numbers shares;
  std::vector<double> rests;
  for (const std::uint32_t count : counts) {
    const double share = count / sum * draws;
    shares.push_back(static_cast<std::uint32_t>(share));
    rests.push_back(share - std::floor(share));
  }
  std::vector<double> largest = rests;
  std::sort(largest.begin(), largest.end(), std::greater());
  largest.erase(std::unique(largest.begin(), largest.end()), largest.end());
  std::uint32_t missing = draws - std::accumulate(shares.begin(), shares.end(), 0u);
  for (std::size_t next = 0; missing > 0 && next < largest.size(); ++next) {
    Numbers equal;
    for (std::uint32_t label = 0; label < rests.size(); ++label)
      if (rests[label] == largest[next]) equal.push_back(label);
    const Numbers order = random->permutation(static_cast<std::uint32_t>(equal.size()));
    for (std::size_t i = 0; i < order.size() && missing > 0; ++i, --missing)
      ++shares[equal[order[i]]];
  }
  return shares;
}

}  // namespace

std::pair<Numbers, Numbers> stratified_split(const Numbers& labels, double first,
                                             std::uint32_t seed) {
  std::vector<Numbers> of_label;
  for (std::uint32_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= of_label.size()) of_label.resize(labels[i] + 1);
    of_label[labels[i]].push_back(i);
  }
  NumpyRandom random(seed);
  const auto n = static_cast<std::uint32_t>(labels.size());
  const auto firsts = static_cast<std::uint32_t>(first * n);
  Numbers counts, left;
  for (const Numbers& each : of_label) counts.push_back(static_cast<std::uint32_t>(each.size()));
  const Numbers taken = shares_of(counts, firsts, &random);
  for (std::size_t label = 0; label < counts.size(); ++label)
    left.push_back(counts[label] - taken[label]);
  const Numbers others = shares_of(left, n - firsts, &random);
  std::pair<Numbers, Numbers> parts;
  for (std::size_t label = 0; label < counts.size(); ++label) {
    const Numbers order = random.permutation(counts[label]);
    for (std::uint32_t i = 0; i < taken[label] + others[label]; ++i)
      (i < taken[label] ? parts.first : parts.second).push_back(of_label[label][order[i]]);
  }
  parts.first = random.permuted(std::move(parts.first));
  parts.second = random.permuted(std::move(parts.second));
  return parts;
}

}  // namespace runner
