// [[when]] and [[exclude]] of a sweep: what a point has to be, and what is set then.
#pragma once

#include <optional>
#include <vector>

#include "lcsm/code/oscillation.h"
#include "runner/config/config_tree.h"
#include "runner/config/toml_names.h"

namespace runner {

// What a key has to be: one of several values, or a number between two.
struct Condition {
  struct Wanted {
    Value value;  // of model.code a canonical code, or a pattern
    Place place;
  };
  int key = -1;
  Place place;
  std::vector<Wanted> values;
  std::optional<double> least, most;
};

// A [[when]], or an [[exclude]], which sets nothing.
struct Case {
  Place place;
  std::vector<Condition> match;  // all of them
  std::vector<Assignment> set;
};

// `sets`: it is a [[when]].
Case read_case(const toml::table& table, bool sets, int source, const lcsm::Catalogue& catalogue,
               Mistakes& mistakes);

// Whether a key's value is one of those wanted, or lies between the bounds.
bool equals(int key, const Value& wanted, const Value& value);
bool between(const Condition& condition, const Value& value);

}  // namespace runner
