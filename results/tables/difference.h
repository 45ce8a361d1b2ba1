// The one test behind marks, claims and reported power: a paired t-test over common seeds. Its
// standard error includes the sampling error of a share over a finite number of examples.
#pragma once

#include <cstdint>
#include <vector>

#include "results/tables/statistics.h"

namespace results {

// Below this many pairs no test is made.
inline constexpr std::int64_t kFewestPairs = 3;

// Values of two cells for the same seeds.
struct SeedPairs {
  std::vector<double> a, b;
  Scale scale = {};
};

struct Difference {
  enum class Obstacle { kNone, kFewPairs, kNoSpread, kInfinite };
  Obstacle obstacle = Obstacle::kFewPairs;
  std::int64_t n = 0;
  double mean = 0;                 // a minus b; NaN without pairs
  double error = 0;                // of the mean; NaN below two pairs
  double sd = 0, of_examples = 0;  // standard deviation of the pairs; error from the examples,
                                   // which more pairs do not reduce
  double p = 0;                    // two-sided, for a true mean of 0; NaN if no test can be made
  double range = 0;                // the largest possible difference

  // The interval whose error probability is `alpha`.
  struct Interval {
    double low = 0, high = 0;  // NaN below two pairs
  };
  Interval interval(double alpha) const;
};

// One element per setting that both cells have, weighted by its number of pairs.
Difference difference_of(const std::vector<SeedPairs>& settings);

// The power for which differences and numbers of pairs are reported.
inline constexpr double kPower = 0.8;

// The smallest true difference that at least this share of repetitions would find, at the level
// `alpha`, if the mean of n differences has this standard error.
double detectable(double error, std::int64_t n, double alpha, double power = kPower);

// The number of pairs with which a test at the level `alpha` finds a difference of this size and
// spread with power kPower; 0: more than `most`.
std::int64_t pairs_needed(const Difference& difference, double alpha, std::int64_t most);

}  // namespace results
