#include "results/tables/pair_tests.h"

#include <algorithm>
#include <cmath>

namespace results {
namespace {

std::vector<double> differences_of(const SeedPairs& pairs) {
  std::vector<double> out;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) out.push_back(pairs.a[i] - pairs.b[i]);
  return out;
}

}  // namespace

PairTests::PairTests(std::size_t rows, const Pair& pair) {
  for (std::size_t b = 1; b < rows; ++b)
    for (std::size_t a = 0; a < b; ++a) {
      pairs_.push_back(pair(a, b));
      const SeedPairs& each = pairs_.back();
      p_.push_back(paired_t_test(each.a, each.b, each.least_sd));
    }
  tests_ = static_cast<double>(
      std::count_if(p_.begin(), p_.end(), [](double p) { return !std::isnan(p); }));
  p_ = holm(p_);
}

Statistics PairTests::difference(std::size_t a, std::size_t b) const {
  const SeedPairs& pairs = pairs_[place(a, b)];
  Statistics s = statistics_of(differences_of(pairs));
  if (a > b) s.mean = -s.mean, s.median = -s.median;
  if (s.n < 2) return s;
  const double n = static_cast<double>(s.n);
  const double half =
      student_quantile(1 - kAlpha / 2, n - 1) * std::max(s.sd, pairs.least_sd) / std::sqrt(n);
  s.low = std::max(s.mean - half, pairs.share ? -1.0 : -INFINITY);
  s.high = std::min(s.mean + half, pairs.share ? 1.0 : INFINITY);
  return s;
}

double PairTests::least_found(std::size_t a, std::size_t b) const {
  const SeedPairs& pairs = pairs_[place(a, b)];
  if (std::isnan(p_[place(a, b)])) return std::nan("");
  const Statistics s = statistics_of(differences_of(pairs));
  const double t = student_quantile(1 - kAlpha / (2 * tests_), static_cast<double>(s.n - 1));
  return t * std::max(pairs.least_sd, s.sd) / std::sqrt(static_cast<double>(s.n));
}

std::size_t PairTests::place(std::size_t a, std::size_t b) {
  const auto [low, high] = std::minmax(a, b);
  return high * (high - 1) / 2 + low;
}

double least_sd_of_shares(double a, double b, double examples) {
  if (!(examples > 0)) return 0;
  const auto variance = [](double share) { return std::max(0.0, share * (1 - share)); };
  return std::max(1 / examples, std::sqrt((variance(a) + variance(b)) / examples));
}

}  // namespace results
