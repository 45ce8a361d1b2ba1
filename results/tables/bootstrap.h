// Statistics that make no assumption about a distribution, as the Python package rliable computes
// them (Agarwal et al., Deep Reinforcement Learning at the Edge of the Statistical Precipice,
// 2021).
#pragma once

#include <vector>

namespace results {

// Values by seed, one list per task: seeds are resampled within a task.
using Strata = std::vector<std::vector<double>>;

struct Estimate {
  double value = 0;
  double low = 0, high = 0;  // 95 % percentile interval of the bootstrap; NaN below two seeds
};

double mean_of_all(const Strata& strata);

// The mean without the lowest and the highest quarter of all values.
double interquartile_mean(const Strata& strata);

// P(a value of `a` is larger than one of `b`), ties half, averaged over tasks.
double probability_above(const Strata& a, const Strata& b);

// Deterministic: equal numbers of seeds give equal draws on every host.
Estimate bootstrap(const Strata& strata, double (*statistic)(const Strata&));
Estimate bootstrap(const Strata& a, const Strata& b,
                   double (*statistic)(const Strata&, const Strata&));

}  // namespace results
