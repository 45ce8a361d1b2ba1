#include "results/store/summary.h"

#include <cmath>

namespace results {

void Summary::add(std::int64_t step, double value) {
  ++rows;
  last = value;
  last_step = step;
  if (std::isnan(value)) return;
  if (!lowest.known || value < lowest.value) lowest = {true, value, step};
  if (!highest.known || value > highest.value) highest = {true, value, step};
}

}  // namespace results
