#include "results/tables/bootstrap.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

#include "results/tables/statistics.h"

namespace results {
namespace {

constexpr int kDraws = 10000;  // the ends of the interval vary by a few percent of its width

std::vector<double> all_values(const Strata& strata) {
  std::vector<double> all;
  for (const auto& values : strata) all.insert(all.end(), values.begin(), values.end());
  return all;
}

bool has_spread(const Strata& strata) {
  return std::any_of(strata.begin(), strata.end(),
                     [](const auto& values) { return values.size() > 1; });
}

// Not std::uniform_int_distribution, which differs from library to library.
void draw_again(const Strata& from, std::mt19937_64& random, Strata* to) {
  for (std::size_t s = 0; s < from.size(); ++s)
    for (double& value : (*to)[s]) value = from[s][random() % from[s].size()];
}

// numpy.percentile, which is linear between two values.
double percentile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  if (sorted[below] == sorted[above]) return sorted[below];  // two infinities have no difference
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Estimate interval_of(double value, const std::function<double(std::mt19937_64&)>& draw) {
  std::mt19937_64 random(1);
  std::vector<double> drawn(kDraws);
  for (double& one : drawn) one = draw(random);
  std::sort(drawn.begin(), drawn.end());
  return {value, percentile(drawn, kAlpha / 2), percentile(drawn, 1 - kAlpha / 2)};
}

Estimate without_interval(double value) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  return {value, kNaN, kNaN};
}

}  // namespace

double mean_of_all(const Strata& strata) { return statistics_of(all_values(strata)).mean; }

// scipy.stats.trim_mean with 0.25.
double interquartile_mean(const Strata& strata) {
  std::vector<double> all = all_values(strata);
  if (all.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(all.begin(), all.end());
  const auto cut = static_cast<std::ptrdiff_t>(all.size() / 4);
  return std::accumulate(all.begin() + cut, all.end() - cut, 0.0) /
         static_cast<double>(std::ssize(all) - 2 * cut);
}

// The U of Mann and Whitney, divided by the number of pairs.
double probability_above(const Strata& a, const Strata& b) {
  double sum = 0;
  for (std::size_t s = 0; s < a.size(); ++s) {
    double above = 0;
    for (const double x : a[s])
      for (const double y : b[s]) above += x > y ? 1 : x == y ? 0.5 : 0;
    sum += above / static_cast<double>(a[s].size() * b[s].size());
  }
  return sum / static_cast<double>(a.size());
}

Estimate bootstrap(const Strata& strata, double (*statistic)(const Strata&)) {
  const double value = statistic(strata);
  if (!has_spread(strata)) return without_interval(value);
  Strata again = strata;
  return interval_of(value, [&](std::mt19937_64& random) {
    draw_again(strata, random, &again);
    return statistic(again);
  });
}

Estimate bootstrap(const Strata& a, const Strata& b,
                   double (*statistic)(const Strata&, const Strata&)) {
  const double value = statistic(a, b);
  if (!has_spread(a) && !has_spread(b)) return without_interval(value);
  Strata again_a = a, again_b = b;
  return interval_of(value, [&](std::mt19937_64& random) {
    draw_again(a, random, &again_a);
    draw_again(b, random, &again_b);
    return statistic(again_a, again_b);
  });
}

}  // namespace results
