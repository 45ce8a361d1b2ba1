// Means over seeds, and the correction of tests.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace results {

inline constexpr double kAlpha = 0.05;  // of tests and intervals

// The bounds of a metric's values, and how exact a share is.
struct Scale {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  double examples = 0;  // that a share was counted on; 0: not known, or no share
};

// "test.accuracy", on this many examples. Parameters have no bounds.
Scale scale_of(const std::string& metric, double examples = 0);

// The variance of a share that comes from its number of examples; 0 for other values. Two successes
// and two failures are added (Agresti and Coull 1998), since no finite sample proves a share of 1.
double variance_of_share(double share, const Scale& scale);

struct Statistics {
  std::int64_t n = 0;
  double mean = 0;    // NaN for no values
  double sd = 0;      // with n - 1; NaN below two values
  double median = 0;  // NaN for no values
  // 95 % interval of the mean by Student's t, within the scale; NaN below two values.
  double low = 0, high = 0;
};

Statistics statistics_of(const std::vector<double>& values, const Scale& scale = {});

// True for means that are equal but for rounding, which depends on the order of the seeds.
bool are_tied(double a, double b);

// The t of Student's distribution with `freedom` degrees below which T lies with this probability.
double student_quantile(double probability, double freedom);

// Holm's step-down correction: p values that may be compared with alpha although there are several.
// NaN means not tested and does not count. `most`: infinite for the factors of intervals.
std::vector<double> holm(const std::vector<double>& p, double most = 1);

}  // namespace results
