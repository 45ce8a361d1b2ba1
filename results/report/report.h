// A sweep on one page that needs nothing beside itself: no network, no script, no other file.
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
  std::string svg;  // of page_svg; empty: its numbers are shown instead
};

struct Report {
  std::string sweep = {}, title = {}, question = {};
  std::vector<Claim> claims = {};
  std::vector<Table> tables = {};
  std::vector<ReportFigure> figures = {};
  std::string no_pictures = {};  // why there are none, where there are none
  Grid runs = {};                // a row each
  Grid environments = {};        // name, value, runs
  Grid published = {};           // of the sweep's paper
};

// What the database knows of the sweep (empty: of all runs) beside its tables. `paper` as in
// Table.
Grid report_runs(Database& database, const Roles& roles, const std::string& sweep);
Grid report_environments(Database& database, const std::string& sweep);
Grid report_published(Database& database, const std::string& paper);

// The same report is the same bytes.
std::string report_html(const Report& report);

}  // namespace results
