// Reads TOML tables of configuration keys, for files of runs and sections of sweeps.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "runner/config/toml/config_mistakes.h"
#include "runner/config/toml/config_tree.h"
#include "runner/config/toml/toml_names.h"

namespace runner {

// Unlike toml::parse, limits the parts of a dotted key: too many would overflow the stack.
toml::table parse_toml(std::string_view text, const std::string& path);

Given given_by(const toml::node& node);

// Assignment::inside: columns from the value's place to the first character of a plain string, or
// -1.
int inside_of(const toml::node& node);

Place place_of(int source, const toml::source_region& region);

// Checks the value of a known key; notes a mistake if the key does not accept it.
Assignment assignment_of(int key, const toml::node& node, int source, Mistakes& mistakes);

// Calls `take` for each key of nested tables and notes unknown ones. Skips the root tables named
// in `skipped`, a list separated by blanks.
using TakeKey = std::function<void(int key, const toml::key& name, const toml::node& node)>;
void walk_keys(const toml::table& table, int source, Mistakes& mistakes, const TakeKey& take,
               std::string_view skipped = "");

}  // namespace runner
