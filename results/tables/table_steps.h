// The steps of make_table, each in a file of its own.
#pragma once

#include <string>
#include <vector>

#include "results/tables/table.h"
#include "results/tables/table_runs.h"

namespace results {

// The runs of one row and column, before one value is looked at.
struct RunGroup {
  std::vector<const TableRun*> runs;  // of the chosen values of what is tuned, by seed
  std::string chosen;                 // "optim.lr=0.001"
  bool edge = false;                  // the chosen value is the smallest or largest of several
  bool pending = false;               // other values have runs that are missing or have not ended
};

// Of all runs of a cell those with the best values of `spec.tuned`: the most seeds that are done,
// then the best mean over them of `spec.by`. Every other parameter is left as it is.
RunGroup choose_group(const std::vector<const TableRun*>& runs, const TableRuns& all,
                      const TableSpec& spec);

// The number of one value in one cell and what must be said about it.
TableCell make_cell(const RunGroup& group, const std::string& value, const TableRuns& all,
                    const TableSpec& spec);

// The values of two cells where both have the seed; none where a cell has a seed twice.
struct SeedPairs {
  std::vector<double> a, b;
};
SeedPairs common_seeds(const TableCell& a, const TableCell& b);

// Marks the best of each column and those not significantly worse; fills in differences.
void judge(Table* table, const TableSpec& spec);

// What the sweep's paper prints, beside.
void add_published(Table* table, const TableRuns& runs);

// Footnotes for the marks that are there, behind what is there already.
void add_notes(Table* table);

// The signs of a cell's marks: "me".
std::string signs_of(const TableCell& cell);

// "1-9-1-0" before "1-10-1-0", 9e-4 before 1e-3.
bool natural_less(const std::string& a, const std::string& b);

}  // namespace results
