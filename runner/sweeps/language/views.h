// The tables, figures and claims in a sweep file; front/views/view_results.h evaluates them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "results/figures/figure.h"
#include "results/tables/claim.h"
#include "results/tables/table.h"
#include "runner/config/toml/config_mistakes.h"
#include "runner/config/toml/toml_names.h"

namespace runner {

inline constexpr Place kCommandLine = {};  // of a claim that is an option

// A table, figure or claim, and where the sweep's file has it.
template <class Spec>
struct View : Spec {
  Place place = kCommandLine;
};

struct SweepViews {
  int source = -1;  // index of the sweep's own file in Mistakes
  std::string sweep, title, question, paper;
  results::DisplayNames names = {};
  std::map<std::string, Place> name_places = {};  // by key of `names`
  std::vector<View<results::TableSpec>> tables;
  std::vector<View<results::FigureSpec>> figures;
  std::vector<View<results::ClaimSpec>> claims;
};

// Reads a block [[table]], [[figure]] or [[claim]] into `views`; notes every mistake.
void read_view(std::string_view kind, const toml::table& block, int source, Mistakes& mistakes,
               SweepViews* views);
void clear_views(std::string_view kind, SweepViews* views);

}  // namespace runner
