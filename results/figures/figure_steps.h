// The parts of make_figure that have their own files.
#pragma once

#include <vector>

#include "results/figures/figure.h"

namespace results {

// The values that a cell averages.
std::vector<double> values_of(const TableCell& cell);

// Sets low and high; both to the mean if there is no band.
void spread_band(Band band, const std::vector<double>& values, const Statistics& statistics,
                 FigurePoint* point);

// Adds the mean over the runs that the cell averages, at each step where all of them have a value.
// Returns whether steps were left out.
bool add_curve(Database& database, const TableCell& cell, const FigureSpec& spec,
               FigureSeries* series);

}  // namespace results
