// What a sweep's file wants to be seen of its runs: its tables, figures and claims.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

#include "results/claim.h"
#include "results/figure.h"
#include "results/table.h"
#include "runner/config_mistakes.h"

namespace runner {

struct SweepViews {
  std::string sweep, title, question, paper;
  std::vector<results::TableSpec> tables;
  std::vector<results::FigureSpec> figures;
  std::vector<results::ClaimSpec> claims;
  std::vector<Place> claim_places;  // as claims
};

// One block of a kind of kViewKinds into `views`; notes every mistake in it.
inline constexpr std::string_view kViewKinds = "table figure claim";
void read_view(std::string_view kind, const toml::table& block, int source, Mistakes& mistakes,
               SweepViews* views);
void clear_views(std::string_view kind, SweepViews* views);

// The claims with their answers.
std::vector<results::Claim> answers(results::Database& database,
                                    const std::vector<results::ClaimSpec>& claims);

// The tables that are asked for; the last one has the answers.
std::vector<results::Table> make_tables(results::Database& database,
                                        const std::vector<results::TableSpec>& specs,
                                        const std::vector<results::ClaimSpec>& claims);

}  // namespace runner
