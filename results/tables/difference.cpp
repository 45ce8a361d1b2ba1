#include "results/tables/difference.h"

#include <algorithm>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace results {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Values that differ by less are equal: one example of the split, less rounding in double, or the
// resolution of float32.
double resolution_of(const SeedPairs& pairs) {
  constexpr double kButForRounding = 1 - 1e-9;
  if (pairs.scale.examples > 0) return kButForRounding / pairs.scale.examples;
  double largest = 0;
  for (const auto* values : {&pairs.a, &pairs.b})
    for (const double value : *values) largest = std::max(largest, std::abs(value));
  return largest * std::numeric_limits<float>::epsilon();
}

// The standard error of the mean difference due to the number of examples. All seeds are evaluated
// on the same examples, so more seeds do not reduce it.
double error_of_examples(const SeedPairs& pairs) {
  return std::sqrt(variance_of_share(statistics_of(pairs.a).mean, pairs.scale) +
                   variance_of_share(statistics_of(pairs.b).mean, pairs.scale));
}

double error_of(const Difference& difference, std::int64_t n) {
  return std::sqrt(difference.sd * difference.sd / static_cast<double>(n) +
                   difference.of_examples * difference.of_examples);
}

// P(T > critical), where T has mean `shift` in units of its standard error. The other tail is
// negligible beside any reported power.
double power_at(double shift, double critical, double freedom) {
  return boost::math::cdf(
      boost::math::complement(boost::math::non_central_t(freedom, shift), critical));
}

// In units of the standard error. Cached: a table has few different numbers of seeds.
double detectable_shift(std::int64_t n, double alpha, double power) {
  thread_local std::map<std::tuple<std::int64_t, double, double>, double> known;
  const auto [at, fresh] = known.try_emplace({n, alpha, power});
  if (!fresh) return at->second;
  const double freedom = static_cast<double>(n - 1);
  const double critical = student_quantile(1 - alpha / 2, freedom);
  double low = 0, high = critical;
  while (power_at(high, critical, freedom) < power) high *= 2;
  constexpr int kHalvings = 40;  // to 12 digits
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (power_at(middle, critical, freedom) < power ? low : high) = middle;
  }
  return at->second = high;
}

}  // namespace

Difference difference_of(const std::vector<SeedPairs>& settings) {
  Difference out{.mean = kNone, .error = kNone, .p = kNone};
  std::vector<double> differences;
  double resolution = 0, of_examples = 0;
  for (const SeedPairs& pairs : settings) {
    if (pairs.a.empty()) continue;
    for (std::size_t i = 0; i < pairs.a.size(); ++i) differences.push_back(pairs.a[i] - pairs.b[i]);
    resolution = std::max(resolution, resolution_of(pairs));
    // Settings may share their examples, so these errors add up instead of their variances.
    of_examples += static_cast<double>(pairs.a.size()) * error_of_examples(pairs);
    out.range = std::max(out.range, pairs.scale.highest - pairs.scale.lowest);
  }
  const Statistics all = statistics_of(differences);
  out.n = all.n;
  out.mean = all.mean;
  if (out.n < 2) return out;
  const double n = static_cast<double>(out.n);
  out.sd = all.sd;
  out.of_examples = of_examples / n;
  out.error = error_of(out, out.n);
  if (out.n < kFewestPairs) return out;
  out.obstacle = !std::isfinite(out.mean)             ? Difference::Obstacle::kInfinite
                 : all.sd < resolution || all.sd == 0 ? Difference::Obstacle::kNoSpread
                                                      : Difference::Obstacle::kNone;
  if (out.obstacle == Difference::Obstacle::kNone)
    out.p = 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(n - 1),
                                                         std::abs(out.mean) / out.error));
  return out;
}

Difference::Interval Difference::interval(double alpha) const {
  if (n < 2) return {kNone, kNone};
  const double half = student_quantile(1 - alpha / 2, static_cast<double>(n - 1)) * error;
  return {std::max(mean - half, -range), std::min(mean + half, range)};
}

double detectable(double error, std::int64_t n, double alpha, double power) {
  return error * detectable_shift(n, alpha, power);
}

std::int64_t pairs_needed(const Difference& difference, double alpha, std::int64_t most) {
  const auto enough = [&](std::int64_t n) {
    return detectable(error_of(difference, n), n, alpha) <= std::abs(difference.mean);
  };
  std::int64_t low = kFewestPairs - 1, high = most;
  if (!enough(high)) return 0;
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace results
