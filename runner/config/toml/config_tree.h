// Turns TOML or a KEY=VALUE argument into assignments: known keys with valid values.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/code/oscillation.h"
#include "runner/config/toml/config_mistakes.h"
#include "runner/config/toml/config_value.h"

namespace runner {

struct Assignment {
  int key;  // row of kConfigKeys
  Place place;
  std::optional<Value> value;  // none: rejected, and noted as a mistake
  int inside = -1;  // columns from the place to the first character of a string; -1 = unknown
};

struct CustomOscillation {
  lcsm::Oscillation oscillation;
  Place place;
};

struct ConfigTree {
  std::vector<Assignment> assignments;  // later ones win
  std::vector<CustomOscillation> oscillations;
  std::set<std::string> broken;  // names of oscillations with mistakes
  bool is_toml = true;           // if false, a missing key means nothing
};

// Reads a whole TOML text; errors refer to it as `name`.
void read_tree(std::string_view text, const std::string& name, ConfigTree& into,
               Mistakes& mistakes);

// Reads the `[oscillation.NAME]` tables of a text that is already a source of `mistakes`.
void read_custom_oscillations(std::string_view text, const std::string& name, int source,
                              ConfigTree& into, Mistakes& mistakes);

// Drops the errors about codes that name a broken oscillation, which follow from the oscillation's
// error.
void drop_consequences(const std::set<std::string>& broken, Mistakes& mistakes);

// "optim.lr=1e-3": a number in TOML syntax, or a string with or without quotes.
void read_setting(const std::string& word, ConfigTree& into, Mistakes& mistakes);

}  // namespace runner
