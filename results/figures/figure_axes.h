// Computes ranges and ticks of a figure's axes, shared by all its panels.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "results/figures/figure.h"

namespace results {

struct Axis {
  bool log = false;
  double low = 0, high = 1;
  std::vector<std::pair<double, std::string>> ticks;  // value and label
  std::string name = {};
  bool bare = false;  // without a line, ticks and a name

  // The value at a part of the axis, from low (0) to high (1).
  double at(double part) const;
};

// The position of a value on the axis, from low (0) to high (1).
double part_of(double value, const Axis& axis);

// True if the axis can show the value.
bool is_shown(double value, bool log);

Axis x_axis(const Figure& figure);
Axis y_axis(const Figure& figure);
Axis rows_axis(const Figure& figure);     // a place for each series, the first at the top
Axis shares_axis(const Figure& figure);   // from 0
Axis keys_axis(const Figure& figure);     // a place for each key, and for y
Axis upright_axis(const Figure& figure);  // from 0 to 1: group_lines

// The values of y, without a margin: the range of their colors.
Axis colour_axis(const Figure& figure);

// Formats a mean with as many digits as the figure's table has.
std::string value_text(const Figure& figure, double value);

}  // namespace results
