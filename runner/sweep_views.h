// What a sweep's file wants to be seen of its runs: its tables, figures and claims.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/claim.h"
#include "results/figure.h"
#include "results/table.h"

namespace runner {

struct SweepViews {
  std::string sweep, title, question, paper;
  std::vector<results::TableSpec> tables;
  std::vector<results::FigureSpec> figures;
  std::vector<results::ClaimSpec> claims;
};

// Of a sweep file's text; `path` is what errors call it. Everything else in it is left to those who
// run the sweep. Throws ConfigError with every mistake of the views.
SweepViews parse_views(std::string_view text, const std::string& path, const std::string& sweep);

// Of NAME the file sweeps/NAME.toml beside the user, of PATH.toml that file; without a file nothing
// but the name.
SweepViews find_views(const std::string& sweep);

// The claims with their answers.
std::vector<results::Claim> answers(results::Database& database,
                                    const std::vector<results::ClaimSpec>& claims);

}  // namespace runner
