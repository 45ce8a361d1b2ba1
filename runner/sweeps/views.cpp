#include "runner/sweeps/views.h"

#include "runner/config/config_toml.h"
#include "runner/config/roles.h"
#include "runner/sweeps/claim_block.h"
#include "runner/sweeps/figure_block.h"
#include "runner/sweeps/table_block.h"

namespace runner {
namespace {

template <class Spec>
void add(Spec spec, const std::string& sweep, std::vector<Spec>* into) {
  spec.sweep = sweep;
  into->push_back(std::move(spec));
}

}  // namespace

void read_view(std::string_view kind, const toml::table& block, int source, Mistakes& mistakes,
               SweepViews* views) {
  const toml::node* text = block.get("claim");
  const Place place = place_of(source, text != nullptr ? text->source() : block.source());
  if (kind == "table") {
    add(read_table_block(block, source, mistakes), views->sweep, &views->tables);
    views->table_places.push_back(place);
  } else if (kind == "figure") {
    add(read_figure_block(block, source, mistakes), views->sweep, &views->figures);
    views->figure_places.push_back(place);
  } else if (kind == "claim") {
    add(read_claim_block(block, source, mistakes), views->sweep, &views->claims);
    views->claim_places.push_back(place);
  }
}

void clear_views(std::string_view kind, SweepViews* views) {
  if (kind == "table") views->tables.clear(), views->table_places.clear();
  if (kind == "figure") views->figures.clear(), views->figure_places.clear();
  if (kind == "claim") views->claims.clear(), views->claim_places.clear();
}

std::vector<results::Claim> answers(results::Database& database, const SweepViews& views) {
  std::vector<results::Claim> out;
  for (std::size_t i = 0; i < views.claims.size(); ++i) {
    const results::ClaimSpec& claim = views.claims[i];
    try {
      out.push_back(results::answer_claim(database, kRoles, claim));
    } catch (const std::invalid_argument& error) {
      if (views.claim_places[i].source == views.source)
        out.push_back({.text = claim.text, .paper = claim.paper, .why = error.what()});
    }
  }
  return out;
}

std::vector<results::Table> make_tables(results::Database& database,
                                        const std::vector<results::TableSpec>& specs,
                                        const SweepViews& views) {
  std::vector<results::Table> made;
  for (const results::TableSpec& spec : specs)
    made.push_back(results::make_table(database, kRoles, spec));
  if (!made.empty()) made.back().claims = answers(database, views);
  return made;
}

}  // namespace runner
