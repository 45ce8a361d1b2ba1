// The tests behind marks, claims and the smallest differences that seeds find: one for every two
// rows of a column, corrected together (README, "Which differences count").
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "results/tables/table_steps.h"

namespace results {

class PairTests {
 public:
  using Pair = std::function<SeedPairs(std::size_t a, std::size_t b)>;  // a < b
  PairTests(std::size_t rows, const Pair& pair);

  // Holm's p over all pairs. NaN for pairs that cannot be tested.
  double p(std::size_t a, std::size_t b) const { return p_[place(a, b)]; }
  // Of the first minus the second, with their interval within what the metric can be.
  Statistics difference(std::size_t a, std::size_t b) const;
  // The smallest mean difference that the test finds with as many seeds of this spread. NaN as p.
  double least_found(std::size_t a, std::size_t b) const;

 private:
  static std::size_t place(std::size_t a, std::size_t b);

  std::vector<SeedPairs> pairs_;
  std::vector<double> p_;
  double tests_ = 0;
};

// The smallest standard deviation that the difference of two shares of `examples` can have in
// truth, whatever a few seeds show: the binomial error of both, and at least one example. 0 where
// the number of examples is not known.
double least_sd_of_shares(double a, double b, double examples);

}  // namespace results
