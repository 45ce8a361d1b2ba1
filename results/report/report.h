// Writes a sweep as one self-contained page: no network, no scripts, no other files.
#pragma once

#include <string>
#include <vector>

#include "results/figures/figure.h"
#include "results/tables/claim.h"
#include "results/tables/table.h"
#include "results/text/grid.h"

namespace results {

struct ReportFigure {
  Figure figure;
  std::string svg;  // from page_svg; empty: numbers are shown instead
};

struct Report {
  std::string sweep = {}, title = {}, question = {};
  std::vector<Claim> claims = {};
  std::vector<Table> tables = {};
  std::vector<ReportFigure> figures = {};
  std::string no_pictures = {};  // why figures have no picture
  std::vector<Grid> sizes = {};  // of each table (report_sizes)
  Grid setup = {};               // setting, value
  Grid gates = {};               // one row per user-defined gate
  Grid runs = {};                // a row per run
  Grid environments = {};        // name, value, runs
  Grid published = {};           // of the sweep's paper
};

// Further facts about the runs of the sweep (empty: all runs); `only` as in TableSpec, `paper` as
// in Table.
Grid report_runs(Database& database, const Roles& roles, const std::string& sweep,
                 const std::set<std::string>& only);
// Each row of a table: the size of its models, and what they were trained on at most, over the runs
// whose values it shows.
Grid report_sizes(Database& database, const Roles& roles, const Table& table);
// Lists what a reader needs to repeat the runs: the size of the models, then each key with its
// value, or its values where it varies.
Grid report_setup(Database& database, const std::string& sweep, const std::set<std::string>& only);
// The hosts and programs of the runs: facts that tell them apart, with the number of runs.
Grid report_environments(Database& database, const std::string& sweep,
                         const std::set<std::string>& only);
Grid report_published(Database& database, const std::string& paper);

// Equal reports give equal bytes.
std::string report_html(const Report& report);

}  // namespace results
