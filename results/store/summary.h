// Summarizes one metric of one run: count, last, lowest and highest value.
#pragma once

#include <cstdint>

namespace results {

struct Summary {
  struct Extreme {
    bool known = false;  // false: every value was NaN
    double value = 0;
    std::int64_t step = 0;  // the first with this value
  };

  std::int64_t rows = 0;
  double last = 0;  // may be NaN
  std::int64_t last_step = 0;
  Extreme lowest, highest;

  void add(std::int64_t step, double value);
};

}  // namespace results
