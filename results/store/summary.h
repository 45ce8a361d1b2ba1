// One metric of one run in a row: how many values, the last, the lowest, the highest.
#pragma once

#include <cstdint>

namespace results {

struct Summary {
  struct Extreme {
    bool known = false;  // false: no value was a number
    double value = 0;
    std::int64_t step = 0;  // the first that has it
  };

  std::int64_t rows = 0;
  double last = 0;  // may be NaN
  std::int64_t last_step = 0;
  Extreme lowest, highest;

  void add(std::int64_t step, double value);
};

}  // namespace results
