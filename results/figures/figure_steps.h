// The parts of make_figure that are files of their own.
#pragma once

#include <vector>

#include "results/figures/figure.h"

namespace results {

// The values behind a cell's mean.
std::vector<double> values_of(const TableCell& cell);

// Sets low and high; to the mean where there is nothing to spread.
void spread_band(Band band, const std::vector<double>& values, const Statistics& statistics,
                 FigurePoint* point);

// The mean over the runs that the cell counts, at the steps at which all of them have a value.
// Returns whether steps had to be left out.
bool add_curve(Database& database, const TableCell& cell, const FigureSpec& spec,
               FigureSeries* series);

}  // namespace results
