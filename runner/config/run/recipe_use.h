// A recipe (recipes/recipe.h) as values of keys and options of a system.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/config/recipes/recipe.h"
#include "runner/config/toml/config_value.h"
#include "runner/systems/system.h"

namespace runner {

struct RecipeUse {
  std::vector<std::optional<Value>> values;  // parallel to kConfigKeys; of its paper's own system
  std::vector<std::string> said_by;          // "etsmlp/lra-listops: paper, table 5"
};

// Computed once for each recipe.
const RecipeUse& use_of(const PaperRecipe& recipe);

// What the recipe of this name says of a key for a task, but for the model, which a sweep names;
// null if there is none, or it says nothing.
const Value* recipe_value(int key, const std::string& name, const std::string& task);

// A system with the options that the recipe has for it, beside those that it was given.
struct SystemByRecipe {
  System system;
  std::string said_by;  // "etsmlp/lra-image: paper hidden=320, code r_min=0.6"; "" if it adds none
};
SystemByRecipe with_recipe(const System& given, const PaperRecipe& recipe);

}  // namespace runner
