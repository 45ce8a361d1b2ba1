// Ranges and ticks of a figure's axes, the same for all its panels.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "results/figures/figure.h"

namespace results {

struct Axis {
  bool log = false;
  double low = 0, high = 1;
  std::vector<std::pair<double, std::string>> ticks;  // empty: gnuplot chooses them

  // The value at a part of the axis, from low (0) to high (1).
  double at(double part) const;
};

// The axis's ticks, or evenly spaced ones.
std::vector<std::pair<double, std::string>> ticks_of(const Axis& axis);

// The position of a value on the axis, from low (0) to high (1).
double part_of(double value, const Axis& axis);

// Whether the axis can show the value.
bool is_shown(double value, bool log);

Axis x_axis(const Figure& figure);
Axis y_axis(const Figure& figure);

}  // namespace results
