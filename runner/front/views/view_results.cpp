#include "runner/front/views/view_results.h"

#include <stdexcept>

#include "runner/config/keys/roles.h"

namespace runner {

std::vector<results::Claim> claim_results(results::Database& database, const SweepViews& views,
                                          const std::vector<results::Table>& beside) {
  std::vector<results::Claim> out;
  for (std::size_t i = 0; i < views.claims.size(); ++i) {
    const results::ClaimSpec& claim = views.claims[i];
    try {
      out.push_back(results::answer_claim(database, kRoles, claim, beside));
    } catch (const std::invalid_argument& error) {
      if (views.claim_places[i].source == views.source)
        out.push_back({.text = claim.text, .paper = claim.paper, .why = error.what()});
    }
  }
  return out;
}

results::Table table_result(results::Database& database, const SweepViews& views, std::size_t i,
                            std::vector<results::Table> before) {
  results::Table table = results::make_table(database, kRoles, views.tables[i]);
  if (i + 1 != views.tables.size()) return table;
  before.push_back(table);
  table.claims = claim_results(database, views, before);
  return table;
}

std::vector<results::Table> table_results(results::Database& database, const SweepViews& views) {
  std::vector<results::Table> tables;
  for (std::size_t i = 0; i < views.tables.size(); ++i)
    tables.push_back(table_result(database, views, i, tables));
  return tables;
}

}  // namespace runner
