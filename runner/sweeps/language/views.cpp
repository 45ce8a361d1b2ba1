#include "runner/sweeps/language/views.h"

#include <toml++/toml.h>

#include "runner/config/toml/config_toml.h"
#include "runner/sweeps/language/claim_block.h"
#include "runner/sweeps/language/figure_block.h"
#include "runner/sweeps/language/table_block.h"

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

}  // namespace runner
