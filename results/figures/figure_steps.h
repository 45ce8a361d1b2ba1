// The steps of make_figure that have their own files.
#pragma once

#include <string>
#include <vector>

#include "results/figures/figure.h"

namespace results {

// The inputs of a figure.
struct FigureSource {
  Database& database;
  const Roles& roles;
  const FigureSpec& spec;
  const Table& table;  // its rows are series or groups, its columns facets and x
};

// ----- What a kind shows: adds series, panels, points and notes -----

// figure_points.cpp
void collect_points(const FigureSource& source, Figure* figure);  // y over x
void collect_pairs(const FigureSource& source, Figure* figure);   // y over another value
void collect_groups(const FigureSource& source, Figure* figure);  // y of each combination

// figure_shares.cpp
void collect_shares(const FigureSource& source, Figure* figure);

// ----- Parts of them -----

// The values that a cell averages.
std::vector<double> values_of(const TableCell& cell);

// Sets low and high; both to the mean if there is no band.
void spread_band(Band band, const std::vector<double>& values, const Statistics& statistics,
                 FigurePoint* point);

// The mean of a cell.
FigurePoint point_of(const TableCell& cell, double x, Band band);

// Returns the panel for these facet values; adds it, with every series, if it is missing.
FigurePanel* panel_of(const FigureSpec& spec, const std::vector<std::string>& labels,
                      Figure* figure);

// "code = 1-9-1-0, d = 64", without parameters that a run lacks.
std::string joined(const std::vector<std::string>& keys, const std::vector<std::string>& labels,
                   const DisplayNames& names);

// Notes how many combinations of values have no result, if any.
void note_left_out(std::int64_t count, const std::string& panel, Figure* figure);

// Adds the mean over the runs that the cell averages, at each step where all of them have a value.
// Returns true if steps were left out.
bool add_curve(Database& database, const TableCell& cell, const FigureSpec& spec,
               FigureSeries* series);

// The share of the variance of `values`, all weighted alike, that each parameter explains by
// itself: the variance of the means of its values, divided by the total variance. If every
// combination of values occurs once, these are the main effects of the functional ANOVA, and the
// rest is due to interactions. Otherwise the effects of several parameters mix, and `interactions`
// is NaN.
struct Shares {
  std::vector<double> main;  // by parameter; NaN if there is no variance
  double interactions = 0;   // NaN if a combination is missing, or there is no variance
  double combinations = 1;   // of the parameters' values
};
Shares shares_of(const std::vector<std::vector<std::string>>& labels,
                 const std::vector<double>& values);

}  // namespace results
