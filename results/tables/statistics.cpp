#include "results/tables/statistics.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "results/events/metric.h"

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

// Cached: a table has thousands of intervals, but few different numbers of seeds.
double interval_quantile(std::int64_t n) {
  thread_local std::map<std::int64_t, double> known;
  const auto [at, fresh] = known.try_emplace(n);
  if (fresh) at->second = student_quantile(1 - kAlpha / 2, static_cast<double>(n - 1));
  return at->second;
}

}  // namespace

Scale scale_of(const std::string& metric, double examples) {
  const Metric* row = find_metric(metric);
  if (row == nullptr) return {};
  return {row->lowest, row->highest, row->share ? examples : 0};
}

double variance_of_share(double share, const Scale& scale) {
  if (!(scale.examples > 0)) return 0;
  const double n = scale.examples + 4, q = (share * scale.examples + 2) / n;
  return q * (1 - q) / n;
}

Statistics statistics_of(const std::vector<double>& values, const Scale& scale) {
  Statistics statistics{std::ssize(values), kNaN, kNaN, kNaN, kNaN, kNaN};
  if (values.empty()) return statistics;
  statistics.mean = mean_of(values);
  statistics.median = median_of(values);
  if (values.size() < 2) return statistics;
  statistics.sd = sd_of(values, statistics.mean);
  const double n = static_cast<double>(statistics.n);
  const double error =
      std::sqrt(statistics.sd * statistics.sd / n + variance_of_share(statistics.mean, scale));
  const double half = interval_quantile(statistics.n) * error;
  statistics.low = std::max(statistics.mean - half, scale.lowest);
  statistics.high = std::min(statistics.mean + half, scale.highest);
  return statistics;
}

bool are_tied(double a, double b) {
  constexpr double kRounding = 1e-12;
  return a == b || std::abs(a - b) < kRounding * std::abs(b);
}

double student_quantile(double probability, double freedom) {
  return boost::math::quantile(boost::math::students_t(freedom), probability);
}

std::vector<double> holm(const std::vector<double>& p, double most) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!std::isnan(p[i])) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return p[x] < p[y]; });
  std::vector<double> corrected(p.size(), kNaN);
  double highest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double left = static_cast<double>(order.size() - rank);
    highest = std::max(highest, std::min(most, left * p[order[rank]]));
    corrected[order[rank]] = highest;
  }
  return corrected;
}

}  // namespace results
