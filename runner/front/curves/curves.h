// Reads the curves of a sweep's runs from the database.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/store/database.h"
#include "runner/front/curves/thin.h"

namespace runner {

struct Curve {
  std::size_t run = 0;  // index of its id
  std::string metric;
  std::vector<CurvePoint> points;
};

struct CurveLimits {
  std::size_t of_one = 1000, of_all = 300'000;  // points; the page stays at a few MB
  std::size_t least = 4;                        // points per curve, for any number of curves
};

// Every metric of these runs over steps, without steps that resumed attempts discarded; sorted by
// run, then by metric. A run that is not in the database has no curves.
std::vector<Curve> read_curves(results::Database& database, const std::vector<std::string>& ids,
                               const CurveLimits& limits = {});

}  // namespace runner
