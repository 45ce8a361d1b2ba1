// One layer of a sweep: what a file, or a scale of it, says about the points. merge_layers of
// points.h makes one of several.
#pragma once

#include <string>
#include <vector>

#include "runner/config/config_tree.h"
#include "runner/config/toml_names.h"
#include "runner/sweeps/case.h"

namespace runner {

// Keys that are walked together: one of [grid], or those of a [[zip]].
struct Axis {
  Place place;  // of its first key
  std::vector<int> keys;
  std::vector<std::vector<Assignment>> steps;  // each as keys
};

struct Layer {
  std::string name;  // "my.toml", "my.toml [scale.laptop]"
  std::vector<Assignment> base;
  std::vector<Axis> axes;  // in the order of the text
  std::vector<Case> whens, excludes;
};

inline constexpr std::string_view kLayerSections = "base grid zip when exclude";

// The sections base, grid, zip, when and exclude of a table; others are none of its business.
Layer read_layer(const toml::table& table, int source, const lcsm::Catalogue& catalogue,
                 Mistakes& mistakes);

}  // namespace runner
