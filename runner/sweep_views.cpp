#include "runner/sweep_views.h"

#include "runner/claim_block.h"
#include "runner/figure_block.h"
#include "runner/table_block.h"

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
  if (kind == "table") add(read_table_block(block, source, mistakes), views->sweep, &views->tables);
  if (kind == "figure")
    add(read_figure_block(block, source, mistakes), views->sweep, &views->figures);
  if (kind == "claim") add(read_claim_block(block, source, mistakes), views->sweep, &views->claims);
}

void clear_views(std::string_view kind, SweepViews* views) {
  if (kind == "table") views->tables.clear();
  if (kind == "figure") views->figures.clear();
  if (kind == "claim") views->claims.clear();
}

std::vector<results::Claim> answers(results::Database& database,
                                    const std::vector<results::ClaimSpec>& claims) {
  std::vector<results::Claim> out;
  for (const results::ClaimSpec& claim : claims)
    out.push_back(results::answer_claim(database, claim));
  return out;
}

}  // namespace runner
