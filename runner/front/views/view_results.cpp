#include "runner/front/views/view_results.h"

#include <fmt/format.h>

#include <stdexcept>

#include "runner/config/keys/roles.h"

namespace runner {

std::vector<results::Claim> claim_results(results::Database& database, const SweepViews& views) {
  std::vector<results::ComparedClaim> family;
  for (const auto& claim : views.claims) {
    try {
      family.push_back(results::compare_claim(database, kRoles, claim));
    } catch (const std::invalid_argument& error) {
      if (claim.place == kCommandLine)
        throw std::invalid_argument(fmt::format("--claim '{}': {}", claim.text, error.what()));
      if (claim.place.source != views.source) continue;
      results::ComparedClaim unknown;
      unknown.claim = {.text = claim.text, .paper = claim.paper, .why = error.what()};
      family.push_back(std::move(unknown));
    }
  }
  return results::judge_claims(family);
}

results::Table table_result(results::Database& database, const SweepViews& views, std::size_t i) {
  results::Table table = results::make_table(database, kRoles, views.tables[i]);
  if (i + 1 == views.tables.size()) table.claims = claim_results(database, views);
  return table;
}

std::vector<results::Table> table_results(results::Database& database, const SweepViews& views) {
  std::vector<results::Table> tables;
  for (std::size_t i = 0; i < views.tables.size(); ++i)
    tables.push_back(table_result(database, views, i));
  return tables;
}

}  // namespace runner
