// [[when]] and [[exclude]] of a sweep: conditions on a point, and the values that they set.
#pragma once

#include <optional>
#include <vector>

#include "lcsm/code/oscillation.h"
#include "runner/config/toml/config_tree.h"
#include "runner/config/toml/toml_names.h"

namespace runner {

// A condition on one key: one of several values, or a number within bounds.
struct Condition {
  struct Wanted {
    Value value;  // for model.code a canonical code or a pattern
    Place place;
  };
  int key = -1;
  Place place;
  std::vector<Wanted> values;
  std::optional<double> least, most;
};

// A [[when]], or an [[exclude]], which has no `set`.
struct Case {
  Place place;
  std::vector<Condition> match;  // all must hold
  std::vector<Assignment> set;
};

// `sets`: true for a [[when]], false for an [[exclude]].
Case read_case(const toml::table& table, bool sets, int source, const lcsm::Catalogue& catalogue,
               Mistakes& mistakes);

// True if a key's value equals `wanted`, or lies within its bounds.
bool equals(int key, const Value& wanted, const Value& value);
bool between(const Condition& condition, const Value& value);

}  // namespace runner
