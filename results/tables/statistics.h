// Means over seeds, and tests of their differences.
#pragma once

#include <cstdint>
#include <vector>

namespace results {

inline constexpr double kAlpha = 0.05;           // of tests and intervals
inline constexpr std::int64_t kFewestPairs = 3;  // two differences say too little of their spread

struct Statistics {
  std::int64_t n = 0;
  double mean = 0;           // NaN for no values
  double sd = 0;             // with n - 1; NaN below two values
  double median = 0;         // NaN for no values
  double low = 0, high = 0;  // 95 % interval of the mean by Student's t; NaN below two values
};

Statistics statistics_of(const std::vector<double>& values);

// The t of Student's distribution with `freedom` degrees below which T lies with this probability.
double student_quantile(double probability, double freedom);

// Two-sided p of the paired t-test: the differences of a[i] and b[i] have mean 0. Their standard
// deviation counts as at least `least_sd`. 1 if the mean is 0. NaN below kFewestPairs, and if all
// differences are equal, since they show no spread.
double paired_t_test(const std::vector<double>& a, const std::vector<double>& b,
                     double least_sd = 0);

// Holm's step-down correction: p values that may be compared with alpha although there are several.
// NaN means not tested and does not count.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace results
