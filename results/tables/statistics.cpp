#include "results/tables/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace results {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sd_of(const std::vector<double>& values, double mean) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// The continued fraction of the incomplete beta function (Lentz's method).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kClose = 1e-15;
  const auto away = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / away(1 - (a + b) * x / (a + 1)), fraction = d;
  for (int m = 1; m < 500; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < kClose) break;
  }
  return fraction;
}

// The regularised incomplete beta function I_x(a, b).
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

// P(|T| >= t), accurate for small values too.
double student_both_tails(double t, double freedom) {
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

// Cached: a table has thousands of intervals, but only as many sample sizes as counts of seeds.
double interval_quantile(std::int64_t n) {
  thread_local std::map<std::int64_t, double> known;
  const auto [at, fresh] = known.try_emplace(n);
  if (fresh) at->second = student_quantile(0.975, static_cast<double>(n - 1));
  return at->second;
}

}  // namespace

Statistics statistics_of(const std::vector<double>& values) {
  Statistics statistics{std::ssize(values), kNaN, kNaN, kNaN, kNaN, kNaN};
  if (values.empty()) return statistics;
  statistics.mean = mean_of(values);
  statistics.median = median_of(values);
  if (values.size() < 2) return statistics;
  statistics.sd = sd_of(values, statistics.mean);
  const double n = static_cast<double>(statistics.n);
  const double half = interval_quantile(statistics.n) * statistics.sd / std::sqrt(n);
  statistics.low = statistics.mean - half;
  statistics.high = statistics.mean + half;
  return statistics;
}

double student_cdf(double t, double freedom) {
  const double tail = student_both_tails(t, freedom) / 2;
  return t > 0 ? 1 - tail : tail;
}

double student_quantile(double probability, double freedom) {
  if (probability < 0.5) return -student_quantile(1 - probability, freedom);
  double low = 0, high = 1;
  while (student_cdf(high, freedom) < probability) high *= 2;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = (low + high) / 2;
    if (middle == low || middle == high) break;
    (student_cdf(middle, freedom) < probability ? low : high) = middle;
  }
  return high;
}

double paired_t_test(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) differences.push_back(a[i] - b[i]);
  if (differences.size() < 2) return kNaN;
  const double mean = mean_of(differences), sd = sd_of(differences, mean);
  const double n = static_cast<double>(differences.size());
  if (sd == 0) return mean == 0 ? 1 : 0;
  return student_both_tails(mean / sd * std::sqrt(n), n - 1);
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!std::isnan(p[i])) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return p[x] < p[y]; });
  std::vector<double> corrected(p.size(), kNaN);
  double highest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double left = static_cast<double>(order.size() - rank);
    highest = std::max(highest, std::min(1.0, left * p[order[rank]]));
    corrected[order[rank]] = highest;
  }
  return corrected;
}

}  // namespace results
