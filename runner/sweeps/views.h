// What a sweep's file wants to be seen of its runs: its tables, figures and claims.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/figures/figure.h"
#include "results/tables/claim.h"
#include "results/tables/table.h"
#include "runner/config/config_mistakes.h"
#include "runner/config/toml_names.h"

namespace runner {

struct SweepViews {
  int source = -1;  // of the sweep's own file (Mistakes)
  std::string sweep, title, question, paper;
  std::vector<results::TableSpec> tables;
  std::vector<results::FigureSpec> figures;
  std::vector<results::ClaimSpec> claims;
  std::vector<Place> table_places, figure_places, claim_places;  // as these
};

// One block of a kind of kViewKinds into `views`; notes every mistake in it.
inline constexpr std::string_view kViewKinds = "table figure claim";
void read_view(std::string_view kind, const toml::table& block, int source, Mistakes& mistakes,
               SweepViews* views);
void clear_views(std::string_view kind, SweepViews* views);

// The claims with their answers. One that cannot be asked of these runs says why; where the file
// has it from another that it extends, it is left out.
std::vector<results::Claim> answers(results::Database& database, const SweepViews& views);

// The tables that are asked for; the last one has the answers.
std::vector<results::Table> make_tables(results::Database& database,
                                        const std::vector<results::TableSpec>& specs,
                                        const SweepViews& views);

}  // namespace runner
