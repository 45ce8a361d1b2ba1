// One layer of a sweep: the sections of one file, or of one scale in it, that define points.
// merge_layers (points.h) merges several.
#pragma once

#include <string>
#include <vector>

#include "runner/config/toml/config_tree.h"
#include "runner/config/toml/toml_names.h"
#include "runner/sweeps/language/case.h"

namespace runner {

// Keys that vary together: a key of [grid], or all keys of a [[zip]].
struct Axis {
  Place place;            // of its first key
  std::vector<int> keys;  // empty in an expansion if no value of the axis makes a difference
  std::vector<std::vector<Assignment>> steps;  // each parallel to keys
};

struct Layer {
  std::string name;  // "my.toml", "my.toml [scale.laptop]"
  std::vector<Assignment> base;
  std::vector<Axis> axes;  // in file order
  std::vector<Case> whens, excludes;
};

inline constexpr std::string_view kLayerSections = "base grid zip when exclude";

// Reads the sections base, grid, zip, when and exclude of a table and ignores all others.
Layer read_layer(const toml::table& table, int source, const lcsm::Catalogue& catalogue,
                 Mistakes& mistakes);

// True for a --set of a list, such as `optim.lr=[1e-3,3e-3]`, or of any other value that [grid]
// accepts: an axis that overrides the sweep's values of the key. Text in a list needs quotes only
// if it has a comma outside braces that does not precede an option of a code.
bool is_list_setting(const std::string& word);
Layer read_list_setting(const std::string& word, const lcsm::Catalogue& catalogue,
                        Mistakes& mistakes);

}  // namespace runner
