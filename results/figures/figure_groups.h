// Parallel coordinates: one axis per key of a figure and one for y, one line per point.
#pragma once

#include <string>
#include <vector>

#include "results/figures/figure.h"
#include "results/figures/figure_axes.h"

namespace results {

struct GroupAxes {
  std::vector<std::vector<std::string>> values;  // of each key, evenly spaced, the lowest first
  Axis y;
};
GroupAxes group_axes(const Figure& figure);

// The position of one of n evenly spaced values, from 0 to 1.
double even_part(std::size_t place, std::size_t n);

// Where each line of a panel crosses the axes, y last. Points without a value have no line. The
// best line comes last, so that it is drawn over the others.
std::vector<std::vector<double>> group_lines(const Figure& figure, const FigurePanel& panel,
                                             const GroupAxes& axes);

}  // namespace results
