#include "runner/config/run/recipe_use.h"

#include <algorithm>
#include <stdexcept>

#include "lcsm/code/code.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/toml/config_tree.h"

namespace runner {
namespace {

RecipeUse made_of(const PaperRecipe& recipe) {
  RecipeUse use{std::vector<std::optional<Value>>(kConfigKeys.size()),
                std::vector<std::string>(kConfigKeys.size())};
  Mistakes mistakes;
  const auto put = [&](const std::string& setting, const std::string& said_by) {
    ConfigTree tree;
    read_setting(setting, tree, mistakes);
    mistakes.raise();
    const auto key = static_cast<std::size_t>(tree.assignments[0].key);
    use.values[key] = tree.assignments[0].value;
    use.said_by[key] = name_of(recipe) + ": " + said_by;
  };
  put("task.name=" + std::string(recipe.task), "its task");
  put(std::string(model_key(recipe)) + "=" + std::string(recipe.system), "its model");
  for (const RecipeSetting& each : settings_of(recipe))
    if (!each.key.starts_with(kOfSystem))
      put(std::string(each.key) + "=" + std::string(each.value),
          std::string(to_string(each.line->by)) + ", " + std::string(each.line->where));
  return use;
}

// The options that a recipe sets for a system, each once. A later line overrides an earlier one and
// keeps its place.
std::vector<RecipeSetting> options_for(const System& system, const PaperRecipe& recipe) {
  std::vector<RecipeSetting> options;
  if (!lcsm::matches(recipe.systems, system.row->name)) return options;
  for (RecipeSetting each : settings_of(recipe)) {
    if (!each.key.starts_with(kOfSystem)) continue;
    if (!each.line->only.empty() && each.line->only != system.row->name) continue;
    each.key.remove_prefix(kOfSystem.size());
    const auto same = std::find_if(options.begin(), options.end(),
                                   [&](const RecipeSetting& had) { return had.key == each.key; });
    if (same == options.end())
      options.push_back(each);
    else
      *same = each;
  }
  return options;
}

// "name@a=1,b=2" with one more option.
std::string with_option(const std::string& text, const RecipeSetting& option) {
  return text + (text.find('@') == std::string::npos ? "@" : ",") + std::string(option.key) + "=" +
         std::string(option.value);
}

}  // namespace

const RecipeUse& use_of(const PaperRecipe& recipe) {
  static const std::vector<RecipeUse> all = [] {
    std::vector<RecipeUse> uses;
    for (const PaperRecipe& each : recipes()) uses.push_back(made_of(each));
    return uses;
  }();
  return all.at(static_cast<std::size_t>(&recipe - recipes().data()));
}

const Value* recipe_value(int key, const std::string& name, const std::string& task) {
  if (name.empty() || key == index_of("model.system"_key) || key == index_of("model.code"_key))
    return nullptr;
  try {
    const auto& value = use_of(recipe_named(name, task)).values[static_cast<std::size_t>(key)];
    return value ? &*value : nullptr;
  } catch (const std::invalid_argument&) {
    return nullptr;  // reported when the point is resolved
  }
}

SystemByRecipe with_recipe(const System& given, const PaperRecipe& recipe) {
  SystemByRecipe result{given, ""};
  std::string text = as_given(given);
  std::array<std::string, kSaidBy.size()> added;
  for (const RecipeSetting& option : options_for(given, recipe)) {
    const bool own =
        std::find(given.given.begin(), given.given.end(), option.key) != given.given.end();
    if (own || !has_option(given, option.key)) continue;
    const std::string more = with_option(text, option);
    try {
      result.system = parse_system(more);
    } catch (const std::invalid_argument&) {
      continue;  // has no effect with the given options
    }
    text = more;
    added[static_cast<std::size_t>(option.line->by)] +=
        " " + std::string(option.key) + "=" + std::string(option.value);
  }
  for (std::size_t by = 0; by < added.size(); ++by)
    if (!added[by].empty())
      result.said_by += (result.said_by.empty() ? name_of(recipe) + ": " : ", ") +
                        std::string(kSaidBy[by]) + added[by];
  return result;
}

}  // namespace runner
