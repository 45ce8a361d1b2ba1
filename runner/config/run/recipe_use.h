// Turns a recipe (recipes/recipe.h) into values of keys and options of a system.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/config/recipes/recipe.h"
#include "runner/config/toml/config_value.h"
#include "runner/systems/system.h"

namespace runner {

struct RecipeUse {
  std::vector<std::optional<Value>> values;  // parallel to kConfigKeys; for the paper's own system
  std::vector<std::string> said_by;          // "etsmlp/lra-listops: paper, table 5"
};

// Computed once per recipe.
const RecipeUse& use_of(const PaperRecipe& recipe);

// The value that the named recipe gives a key for a task; null if there is none. The model is
// excluded, since a sweep names it.
const Value* recipe_value(int key, const std::string& name, const std::string& task);

// A system with its given options and the recipe's.
struct SystemByRecipe {
  System system;
  std::string said_by;  // "etsmlp/lra-image: paper hidden=320, code r_min=0.6"; "" if the recipe
                        // adds no option
};
SystemByRecipe with_recipe(const System& given, const PaperRecipe& recipe);

}  // namespace runner
