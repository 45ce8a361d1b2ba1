// A TOML table as keys of the configuration: what a run's file and the sections of a sweep share.
#pragma once

#include <functional>
#include <string>

#include "runner/config/config_mistakes.h"
#include "runner/config/config_tree.h"
#include "runner/config/toml_names.h"

namespace runner {

Given given_by(const toml::node& node);

// As in Assignment: columns from the value's place to a plain text's first character, or -1.
int inside_of(const toml::node& node);

Place place_of(int source, const toml::source_region& region);

// The value of a known key, refused and told when the key does not take it.
Assignment assignment_of(int key, const toml::node& node, int source, Mistakes& mistakes);

// Walks the tables down to the keys; what is none is told. Tables of the root that are named in
// `beside`, with blanks between, are passed over.
using TakeKey = std::function<void(int key, const toml::key& name, const toml::node& node)>;
void walk_keys(const toml::table& table, int source, Mistakes& mistakes, const TakeKey& take,
               std::string_view beside = "");

}  // namespace runner
