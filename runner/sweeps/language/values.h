// Reads the values of one key in a sweep: a list, a range, or codes by pattern.
#pragma once

#include <vector>

#include "lcsm/code/code.h"
#include "runner/config/toml/config_tree.h"
#include "runner/config/toml/toml_names.h"

namespace runner {

// Reads a value of [grid] or [[zip]]: `[1, 2]`, `{ log = [1e-4, 1e-2], n = 4 }`, `{ linear = ...
// }`, and for model.code also patterns. Notes mistakes, including duplicates.
std::vector<Assignment> read_values(int key, const toml::node& node, int source,
                                    const lcsm::Catalogue& catalogue, Mistakes& mistakes);

// The codes that a value of model.code names, in canonical spelling; notes mistakes.
std::vector<std::string> models_named_by(const Assignment& text, const lcsm::Catalogue& catalogue,
                                         Mistakes& mistakes);

inline constexpr std::int64_t kMostValues = 10000;  // per key

}  // namespace runner
