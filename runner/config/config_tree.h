// From TOML, or a word KEY=VALUE, to settings of known keys with values that they take.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lcsm/code/oscillation.h"
#include "runner/config/config_mistakes.h"
#include "runner/config/config_value.h"

namespace runner {

struct Assignment {
  int key;  // row of kConfigKeys
  Place place;
  std::optional<Value> value;  // none: refused, and told
  int inside = -1;             // columns from the place to a text's first character; -1 = not known
};

struct OwnOscillation {
  lcsm::Oscillation oscillation;
  Place place;
};

struct ConfigTree {
  std::vector<Assignment> assignments;  // later ones win
  std::vector<OwnOscillation> oscillations;
};

// A whole TOML text; `name` is what errors call it.
void read_tree(std::string_view text, const std::string& name, ConfigTree& into,
               Mistakes& mistakes);

// The `[oscillation.NAME]` tables of a text that is already a source.
void read_own_oscillations(std::string_view text, const std::string& name, int source,
                           ConfigTree& into, Mistakes& mistakes);

// "optim.lr=1e-3": a number as TOML writes it, a text without quotes or with them.
void read_setting(const std::string& word, ConfigTree& into, Mistakes& mistakes);

}  // namespace runner
